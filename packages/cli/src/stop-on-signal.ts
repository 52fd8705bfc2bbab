import { fstatSync, statSync } from 'node:fs';

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Reports signals: the process. */
export interface SignalSource {
  on(signal: StopSignal, listener: () => void): unknown;
}

/** What the end of a process needs of its surroundings. */
export interface StopSurroundings {
  readonly signals: SignalSource;
  /** Milliseconds on a clock that never steps. */
  readonly now: () => number;
  /** Calls `action` after `delayMs`, and does not keep the process alive for it. */
  readonly schedule: (action: () => void, delayMs: number) => void;
  /** Whether the process reads from a terminal or writes to one. */
  readonly hasTerminal: () => boolean;
  /** Ends the process. */
  readonly exit: (code: number) => void;
  readonly warn: (text: string) => void;
}

/** A stop that can be asked for. */
export interface Stop {
  /** Aborted when the stop is asked for, with the reason as a text. */
  readonly signal: AbortSignal;
  readonly request: (reason: string) => void;
}

/** Package scripts forward one signal several times; only a later one is another. */
const SAME_SIGNAL_MS = 1000;

/** The longest that a stop may take. */
const WATCHDOG_MS = 10_000;

const STDIN_STDOUT_STDERR = [0, 1, 2];

/**
 * A stop that the first SIGINT, SIGTERM or SIGHUP requests. From then on the process ends: with code 1 on a signal one
 * second or more later, and with code 1 if it still runs after ten seconds.
 *
 * A SIGHUP to a process without a terminal is ignored: `nohup` takes the terminal away and has the signal ignored, but
 * `bun run` undoes the latter.
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

/** Whether this process has a terminal, or had one until it was hung up: by then `isatty` says no. */
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
