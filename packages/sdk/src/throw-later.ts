/** Lets the runtime report `error` as the uncaught one that it is, and whoever calls go on. */
export function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
