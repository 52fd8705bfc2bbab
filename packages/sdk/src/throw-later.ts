/** Lets the runtime report `error` as uncaught, while the caller goes on. */
export function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
