/** The most by which the clocks of an instance's processes may differ, in milliseconds. */
export const MOST_SKEW_MS = 1_000;

/** Returns the last moment that a stored one may be; one beyond was stored before the clock was set back. */
export function latestMoment(nowMs: number): number {
  return nowMs + MOST_SKEW_MS;
}

/**
 * Returns how long ago a stored moment was, in milliseconds: 0 if it lies up to a second ahead. One that lies further ahead
 * counts as long past: what is done then stores the present moment, so nobody waits until the clock has caught up.
 */
export function ageOf(storedMs: number, nowMs: number): number {
  return storedMs > latestMoment(nowMs) ? Infinity : Math.max(0, nowMs - storedMs);
}

/**
 * Returns the present moment, or a stored one that lies up to a second ahead, so that the moments of things that follow each
 * other do not fall.
 */
export function notBefore(storedMs: number, nowMs: number): number {
  return storedMs > latestMoment(nowMs) ? nowMs : Math.max(storedMs, nowMs);
}
