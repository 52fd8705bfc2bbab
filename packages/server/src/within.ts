/** What `promise` resolves with, or undefined where it rejects or takes longer than `timeoutMs`. Never rejects. */
export async function within<Value>(
  promise: Promise<Value>,
  timeoutMs: number,
): Promise<Value | undefined> {
  const { promise: isOver, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, timeoutMs, undefined);
  try {
    return await Promise.race([promise.catch(() => undefined), isOver]);
  } finally {
    clearTimeout(timer);
  }
}
