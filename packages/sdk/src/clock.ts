/** Time and timers, replaceable in tests. */
export interface SdkClock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Calls `callback` once after `delayMs` milliseconds, or a little earlier if that is very long. Returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** The runtime would fire longer timers at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The runtime's clock. */
export const systemClock: SdkClock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(delayMs, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
