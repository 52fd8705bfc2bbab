const FIRST_MS = 10_000;
const MOST_MS = 3_600_000;

/**
 * Returns the time to wait before the next attempt, in milliseconds, after this many have failed: twice as long each
 * time, from 10 seconds to an hour, and up to a quarter less, so that jobs that failed together are not tried together.
 */
export function retryDelayMs(attempts: number, random: () => number = Math.random): number {
  const delayMs = Math.min(MOST_MS, FIRST_MS * 2 ** (attempts - 1));
  return Math.round(delayMs * (1 - random() / 4));
}
