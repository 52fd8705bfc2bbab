/** Whatever tells of signals: the process. */
export interface SignalSource {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** What the end of a process needs of its surroundings. */
export interface StopSurroundings {
  readonly signals: SignalSource;
  /** Milliseconds on a clock that never steps. */
  readonly now: () => number;
  /** Calls `action` after `delayMs`, and does not keep the process alive for it. */
  readonly schedule: (action: () => void, delayMs: number) => void;
  /** Ends the process. */
  readonly exit: (code: number) => void;
  readonly warn: (text: string) => void;
}

/** Package scripts forward one signal several times; only a later one is another. */
const SAME_SIGNAL_MS = 1000;

/** What a stop that hangs is given. */
const WATCHDOG_MS = 10_000;

/**
 * Aborts at the first SIGINT or SIGTERM, and sees to it that the process ends from then on: at once with code 1 on a
 * signal one second or more later, and with code 1 when it still runs after ten seconds.
 */
export function stopOnSignal(surroundings: StopSurroundings): AbortSignal {
  const { signals, now, schedule, exit, warn } = surroundings;
  const stop = new AbortController();
  let firstAtMs = 0;
  const onSignal = () => {
    if (!stop.signal.aborted) {
      firstAtMs = now();
      schedule(() => {
        warn(`hearth: not stopped after ${WATCHDOG_MS / 1000} s, giving up\n`);
        exit(1);
      }, WATCHDOG_MS);
      stop.abort();
    } else if (now() - firstAtMs >= SAME_SIGNAL_MS) {
      exit(1);
    }
  };
  signals.on('SIGINT', onSignal);
  signals.on('SIGTERM', onSignal);
  return stop.signal;
}
