/** Resolves as `promise` does, or with undefined if it rejects or takes longer than `timeoutMs`. Never rejects. */
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

/** Resolves as `promise` does; rejects if it rejects or takes longer than `timeoutMs`. */
export async function inTime<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value> {
  const { promise: isOver, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([promise, isOver]);
  } finally {
    clearTimeout(timer);
  }
}
