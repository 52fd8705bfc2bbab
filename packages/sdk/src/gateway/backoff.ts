import type { Parting } from './parting.ts';

/** The longest wait that the gateway did not ask for, in milliseconds. */
export const LONGEST_BACKOFF_MS = 30_000;

const FIRST_BACKOFF_MS = 500;

/** A time after which a limit on connections is likely to be over, if the gateway does not give one. */
const LIMITED_BACKOFF_MS = 5_000;

/** A random moment in a span that doubles with each attempt, the first of which is 1 (full jitter). */
export function backoffMs(attempt: number, random: () => number): number {
  const span = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
  return Math.round(random() * span);
}

/** Returns the time to wait before the next attempt: as the gateway asked, or longer if attempts keep failing. */
export function reconnectDelayMs(
  { reason, retryAfterMs }: Parting,
  attempt: number,
  random: () => number,
): number {
  const jitterMs = backoffMs(attempt, random);
  if (retryAfterMs !== undefined) return Math.max(retryAfterMs, jitterMs);
  return reason === 'rate_limited' ? LIMITED_BACKOFF_MS + jitterMs : jitterMs;
}
