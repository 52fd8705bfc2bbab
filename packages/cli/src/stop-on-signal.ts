import { fstatSync, statSync } from 'node:fs';

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Emits signals, as the process does. */
export interface SignalSource {
  on(signal: StopSignal, listener: () => void): unknown;
}

/** The parts of the process that a stop needs. */
export interface StopSurroundings {
  readonly signals: SignalSource;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  /** Calls `action` after `delayMs`, without keeping the process alive for it. */
  readonly schedule: (action: () => void, delayMs: number) => void;
  /** Returns whether the process reads from a terminal or writes to one. */
  readonly hasTerminal: () => boolean;
  /** Ends the process. */
  readonly exit: (code: number) => void;
  readonly warn: (text: string) => void;
}

/** A stop that can be requested. */
export interface Stop {
  /** Aborts when the stop is requested, with the reason as a text. */
  readonly signal: AbortSignal;
  readonly request: (reason: string) => void;
}

/** Package scripts forward one signal several times, so signals within this time count as one. */
const SAME_SIGNAL_MS = 1000;

/** The longest that a stop may take. */
const WATCHDOG_MS = 10_000;

const STDIN_STDOUT_STDERR = [0, 1, 2];

/**
 * A stop that the first SIGINT, SIGTERM or SIGHUP requests. After that, the process exits with code 1 on another signal
 * one second or more later, or if it still runs after ten seconds.
 *
 * A SIGHUP to a process without a terminal is ignored. `nohup` detaches the terminal and ignores the signal, but
 * `bun run` resets the latter.
 */
export function stopOnSignal(surroundings: StopSurroundings): Stop {
  const { signals, now, schedule, hasTerminal, exit, warn } = surroundings;
  const stop = new AbortController();
  let firstAtMs = 0;
  const request = (reason: string) => {
    if (stop.signal.aborted) return;
    firstAtMs = now();
    schedule(() => {
      warn(`hearth: not stopped after ${WATCHDOG_MS / 1000} s, giving up\n`);
      exit(1);
    }, WATCHDOG_MS);
    stop.abort(reason);
  };
  const onSignal = (signal: StopSignal) => {
    if (signal === 'SIGHUP' && !hasTerminal()) return;
    if (!stop.signal.aborted) {
      request(signal);
    } else if (now() - firstAtMs >= SAME_SIGNAL_MS) {
      warn(`hearth: ${signal} while stopping, giving up\n`);
      exit(1);
    }
  };
  for (const signal of SIGNALS) signals.on(signal, () => onSignal(signal));
  return { signal: stop.signal, request };
}

/**
 * Returns whether this process has a terminal, or had one that was hung up. `isatty` returns false after the hang-up.
 */
export function hasTerminal(): boolean {
  const nowhere = statSync('/dev/null').rdev;
  return STDIN_STDOUT_STDERR.some((descriptor) => {
    try {
      const stat = fstatSync(descriptor);
      return stat.isCharacterDevice() && stat.rdev !== nowhere;
    } catch {
      return false;
    }
  });
}
