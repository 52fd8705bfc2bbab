/** Time and timers, replaceable in tests. */
export interface SdkClock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Calls `callback` once, in `delayMs` milliseconds or a little earlier where that is very long; gives what prevents it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Longer timers of the runtime would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The runtime's own time. */
export const systemClock: SdkClock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(delayMs, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
