export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The source of time. Tests set it themselves. */
export interface Clock {
  /** Whole milliseconds of Unix time; may step backwards if the owner sets the machine's clock. */
  unixMs(): number;

  /** Whole milliseconds since some moment, never going back; ticks together with `unixMs` unless the clock is set. */
  monotonicMs(): number;

  /** Calls `run` every `periodMs` until the returned function is called; does not keep the process alive. */
  every(periodMs: number, run: () => void): () => void;
}

const PROCESS_STARTED_AT_MS = performance.timeOrigin;

export const systemClock: Clock = {
  unixMs: () => Date.now(),
  // Whole like Unix time, so that a window ends exactly when the headers say it does.
  monotonicMs: () => Math.floor(PROCESS_STARTED_AT_MS + performance.now()),
  every(periodMs, run) {
    const timer = setInterval(run, periodMs);
    timer.unref();
    return () => clearInterval(timer);
  },
};
