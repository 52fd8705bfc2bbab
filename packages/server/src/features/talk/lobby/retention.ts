import { PeriodicWork } from '../../../lib/periodic-work.ts';
import type { HistoryOptions } from './message-history.ts';
import type { Outdated } from './message-range.ts';
import { DAY_MS } from '../../../lib/clock.ts';

/** Rows deleted at once, which holds up the process for about a millisecond. */
const DELETED_AT_ONCE = 64;

/** The time that everything else has the process in between. */
const BETWEEN_DELETIONS_MS = 20;

/** The time between two checks for old messages if no new ones come, or the owner keeps fewer than before. */
const TRIM_PERIOD_MS = 60_000;
const FIRST_TRIM_MS = 1_000;

export interface RetentionOptions extends Omit<HistoryOptions, 'database'> {
  /** Deletes at most this many rows, the oldest first, and returns how many there were. */
  readonly deleteSome: (limit: number) => Promise<number>;
}

/** Which messages are no longer kept, if this is the number of the newest message. */
export function outdatedBy(
  { bounds, clock }: Pick<HistoryOptions, 'bounds' | 'clock'>,
  lastNumber: number,
): Outdated {
  return {
    afterNumber: lastNumber - bounds.messages,
    sinceMs: clock.unixMs() - bounds.days * DAY_MS,
  };
}

/** Tracks which messages are kept, and deletes the others: a few at a time, with other work in between. */
export class Retention implements AsyncDisposable {
  readonly #options: RetentionOptions;
  readonly #trimming: PeriodicWork;
  readonly #firstTrim: NodeJS.Timeout;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#trimming = new PeriodicWork({
      clock: options.clock,
      periodMs: TRIM_PERIOD_MS,
      work: () => this.#deleteOutdated(),
      onFailure: (error) => options.log.error({ err: error }, 'old messages could not be deleted'),
    });
    this.#firstTrim = setTimeout(() => void this.#trimming.run(), FIRST_TRIM_MS);
    this.#firstTrim.unref();
  }

  /** The number of the newest message that is no longer kept, if this is the number of the newest message. */
  outdated(lastNumber: number): Outdated {
    return outdatedBy(this.#options, lastNumber);
  }

  /** Stops deleting; resolves when what is under way has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#firstTrim);
    await this.#trimming[Symbol.asyncDispose]();
  }

  async #deleteOutdated(): Promise<void> {
    let deleted: number;
    do {
      deleted = await this.#options.deleteSome(DELETED_AT_ONCE);
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_DELETIONS_MS));
    } while (deleted === DELETED_AT_ONCE && !this.#trimming.isEnding);
  }
}
