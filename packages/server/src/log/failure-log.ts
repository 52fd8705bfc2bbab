import type { Clock } from '../clock.ts';
import type { Logger } from './logger.ts';

const PERIOD_MS = 10_000;

/** How many failures of an operation are told of one by one in a period. */
const TOLD_ONE_BY_ONE = 10;

/**
 * Logs requests that failed: each by itself, and where there are many, as while a server is away that all of them need,
 * the first ten of an operation and the number of the others, so that the log does not fill a disk.
 */
export class FailureLog implements Disposable {
  readonly #log: Logger;
  readonly #counts = new Map<string, number>();
  readonly #stop: () => void;

  constructor(log: Logger, clock: Clock) {
    this.#log = log;
    this.#stop = clock.every(PERIOD_MS, () => this.#summarise());
  }

  /** Tells of a failure. `operation` is one of a fixed set of names. */
  tell(error: unknown, operation: string): void {
    const count = (this.#counts.get(operation) ?? 0) + 1;
    this.#counts.set(operation, count);
    if (count <= TOLD_ONE_BY_ONE) this.#log.error({ err: error, operation }, 'request failed');
  }

  [Symbol.dispose](): void {
    this.#stop();
    this.#summarise();
  }

  #summarise(): void {
    for (const [operation, told] of this.#counts) {
      const count = told - TOLD_ONE_BY_ONE;
      if (count > 0) this.#log.error({ operation, count }, 'more requests failed');
    }
    this.#counts.clear();
  }
}
