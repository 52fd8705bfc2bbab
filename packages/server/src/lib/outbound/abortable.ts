/** Rejects as soon as the signal aborts. Work that it does not end is left alone: nobody has to wait for it. */
export function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  // First, so that work that the same signal ends counts as ended by it.
  return Promise.race([promise, work]).finally(() => signal.removeEventListener('abort', abort));
}
