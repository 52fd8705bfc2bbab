/**
 * Does `work` with every item, this many at once. Rejects with the reason of the first failure, or of `signal`, when
 * nothing is under way any more; the signal that `work` receives is aborted then.
 */
export async function inLanes<Item>(
  items: Iterable<Item>,
  { lanes, signal }: { readonly lanes: number; readonly signal: AbortSignal },
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const waiting = items[Symbol.iterator]();
  const lane = async () => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      either.throwIfAborted();
      await work(next.value, either);
    }
  };
  const running = Array.from({ length: lanes }, () =>
    lane().catch((error: unknown) => failed.abort(error)),
  );
  await Promise.all(running);
  either.throwIfAborted();
}
