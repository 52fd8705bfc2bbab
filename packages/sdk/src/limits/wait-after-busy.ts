/**
 * The random time that a request that a busy place has refused waits besides `retry_after`: at least so long, and at
 * most.
 */
const SHORTEST_SPREAD_MS = 500;
const LONGEST_SPREAD_MS = 10_000;

/**
 * Returns the time to wait after a place was busy: at least `retryAfterMs`, and a random time that doubles with each
 * refusal, so that those who were refused together do not come back together. `random` is from 0 to below 1.
 */
export function waitAfterBusy(
  retryAfterMs: number,
  { refusalsInRow, random }: { readonly refusalsInRow: number; readonly random: number },
): number {
  const spreadMs = Math.max(retryAfterMs, SHORTEST_SPREAD_MS) * 2 ** refusalsInRow;
  return Math.ceil(retryAfterMs + random * Math.min(spreadMs, LONGEST_SPREAD_MS));
}
