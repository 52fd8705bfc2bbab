import type { Clock } from '../lib/clock.ts';
import type { Logger } from './logger.ts';

const SUMMARY_PERIOD_MS = 10_000;

/**
 * Logs what clients were refused: at most one line per class and period, however many refusals there are, so that a
 * flood of requests is not a flood of lines. Addresses appear only at debug level.
 */
export class RefusalLog implements Disposable {
  readonly #log: Logger;
  readonly #counts = new Map<string, number>();
  readonly #stop: () => void;

  constructor(log: Logger, clock: Clock) {
    this.#log = log;
    this.#stop = clock.every(SUMMARY_PERIOD_MS, () => this.#summarise());
  }

  /** Counts a refusal. `reason` is one of a fixed set of names: an error's class or a close reason. */
  count(reason: string, client: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    this.#log.debug({ refusal: reason, client }, 'refused');
  }

  [Symbol.dispose](): void {
    this.#stop();
    this.#summarise();
  }

  #summarise(): void {
    for (const [refusal, count] of this.#counts) this.#log.info({ refusal, count }, 'refusals');
    this.#counts.clear();
  }
}
