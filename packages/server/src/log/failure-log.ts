import type { Clock } from '../lib/clock.ts';
import type { Logger } from './logger.ts';

const PERIOD_MS = 10_000;

/** The number of failures of an operation that are logged one by one in a period. */
const TOLD_ONE_BY_ONE = 10;

/**
 * Logs requests that failed, each in its own line. If there are many, for instance while a server that all of them
 * need is down, it logs the first ten of an operation and the number of the others, so that the log does not fill the
 * disk.
 */
export class FailureLog implements Disposable {
  readonly #log: Logger;
  readonly #counts = new Map<string, number>();
  readonly #stop: () => void;

  constructor(log: Logger, clock: Clock) {
    this.#log = log;
    this.#stop = clock.every(PERIOD_MS, () => this.#summarise());
  }

  /** Logs a failure. `operation` is one of a fixed set of names. */
  report(error: unknown, operation: string): void {
    const count = (this.#counts.get(operation) ?? 0) + 1;
    this.#counts.set(operation, count);
    if (count <= TOLD_ONE_BY_ONE) this.#log.error({ err: error, operation }, 'request failed');
  }

  [Symbol.dispose](): void {
    this.#stop();
    this.#summarise();
  }

  #summarise(): void {
    for (const [operation, failed] of this.#counts) {
      const count = failed - TOLD_ONE_BY_ONE;
      if (count > 0) this.#log.error({ operation, count }, 'more requests failed');
    }
    this.#counts.clear();
  }
}
