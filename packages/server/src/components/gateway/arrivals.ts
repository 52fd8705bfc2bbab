import type { Logger } from '../../log/logger.ts';

/** The number of clients that may wait at once for events to arrive here that they have already seen. */
const MOST_WAITING = 4_096;

export interface ArrivalsOptions {
  /** Resolves when everything has arrived here that was published before. */
  readonly caughtUp: () => Promise<void>;
  readonly log: Logger;
}

/**
 * Lets clients wait that have seen more than has arrived here, because another gateway was faster. Clients that cannot
 * wait are sent that the stream does not continue.
 */
export class Arrivals {
  readonly #options: ArrivalsOptions;
  #waitingCount = 0;

  constructor(options: ArrivalsOptions) {
    this.#options = options;
  }

  /** Resolves when everything has arrived, or when that cannot be awaited. */
  async wait(): Promise<void> {
    const { log, caughtUp } = this.#options;
    if (this.#waitingCount >= MOST_WAITING) return;
    this.#waitingCount += 1;
    try {
      await caughtUp();
    } catch (error) {
      log.debug({ err: error }, 'the stream of events cannot be compared');
    } finally {
      this.#waitingCount -= 1;
    }
  }
}
