import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../log/logger.ts';
import type { Bus } from '../bus/bus.ts';
import type { Database } from '../database/database.ts';
import { Looks } from './looks.ts';
import { deleteRows, selectRowsAfter, selectRowsOf, type Emission } from './store.ts';

/** How often it is looked for rows that another process left, or that could not be published. */
const LOOK_PERIOD_MS = 1_000;

/** How often it is looked whether other processes have changed the database, where that does not announce itself. */
const HEAR_PERIOD_MS = 200;

/** Rows that are read at once, and how often in one look at all subjects. */
const PAGE_ROWS = 256;
const MOST_PAGES = 16;

/** Rows of a subject that are handed to the bus at once. */
const BATCH_ROWS = 64;

/** How long whoever has committed events waits for their publication. */
const OWN_MS = 1_000;

/** How long published rows gather before they are deleted. */
const DELETE_AFTER_MS = 100;

/** Comes before every subject. */
const FIRST_SUBJECT = '';

/** What rows are published with. */
export interface RowPublisherOptions {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Publishes rows of the outbox, and deletes them afterwards. Any number of processes do so at the same time: the bus
 * takes each number of a subject once, after the one before.
 */
export class RowPublisher implements AsyncDisposable {
  readonly #options: RowPublisherOptions;
  readonly #stopListening: () => void;
  readonly #stopHearing: () => void;
  readonly #stopLooking: () => void;
  /** Up to where subjects are published whose rows are still to be deleted. */
  #published = new Map<string, number>();
  #deletion: NodeJS.Timeout | undefined;
  #deleting: Promise<void> = Promise.resolve();
  /** By their subject; undefined for all subjects. */
  readonly #looks = new Looks<string | undefined>();
  /** Where the next look at all subjects goes on. */
  #afterSubject = FIRST_SUBJECT;
  #isFailing = false;
  #isEnding = false;

  constructor(options: RowPublisherOptions) {
    const { database, clock } = options;
    this.#options = options;
    this.#stopListening = database.onChange((changes) => {
      if (changes === 'unknown' || changes.some(({ kind }) => kind === 'outbox')) this.#lookAtAll();
    });
    this.#stopHearing = clock.every(HEAR_PERIOD_MS, () => database.hearChanges());
    this.#stopLooking = clock.every(LOOK_PERIOD_MS, () => this.#lookAtAll());
    this.#lookAtAll();
  }

  /**
   * Publishes what this process has committed in rows, in the order of calls. Resolves when that is done, or after about
   * a second: it goes on meanwhile. Never rejects: what cannot be published now stays in its row.
   */
  async publish(emissions: readonly Emission[]): Promise<void> {
    const own = Promise.all(emissions.map((emission) => this.#publishOwn(emission)));
    const { promise: isLate, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, OWN_MS);
    await Promise.race([own, isLate]);
    clearTimeout(timer);
  }

  /** Publishes no more, and deletes what is published. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    this.#stopListening();
    this.#stopHearing();
    this.#stopLooking();
    await this.#looks.ended();
    // If that fails, the next process offers them once more.
    await this.#deletePublished().catch(() => {});
  }

  async #publishOwn({ subject, number, publication }: Emission): Promise<void> {
    const { bus } = this.#options;
    const after = number === 1 ? 0 : undefined;
    try {
      const { state } = await bus.publishNext(publication, { subject, number, after });
      switch (state) {
        case 'taken':
        case 'had':
          return this.#notePublished(subject, number);
        case 'missing':
        case 'unknown':
          return await this.#look(subject, () => this.#publishSubject(subject));
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #lookAtAll(): void {
    void this.#look(undefined, () => this.#publishAll());
  }

  #look(subject: string | undefined, look: () => Promise<void>): Promise<void> {
    return this.#looks.run(subject, async () => {
      if (this.#isEnding) return;
      try {
        await look();
        this.#succeed();
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  async #publishSubject(subject: string): Promise<void> {
    const { reader } = this.#options.database;
    await this.#deletePublished();
    let last = 0;
    while (!this.#isEnding) {
      const rows = await selectRowsOf(reader, { subject, after: last }, PAGE_ROWS);
      await this.#publishInOrder(rows);
      if (rows.length < PAGE_ROWS) return;
      last = rows.at(-1)?.number ?? last;
    }
  }

  async #publishAll(): Promise<void> {
    const { reader } = this.#options.database;
    for (let page = 0; page < MOST_PAGES && !this.#isEnding; page += 1) {
      await this.#deletePublished();
      const before = this.#afterSubject;
      const rows = await selectRowsAfter(reader, before, PAGE_ROWS);
      const bySubject = Map.groupBy(rows, ({ subject }) => subject);
      const [last = FIRST_SUBJECT, lastButOne = before] = [...bySubject.keys()].toReversed();
      const isLastPage = rows.length < PAGE_ROWS;
      // If some of them cannot be published, the next look begins after them.
      this.#afterSubject = isLastPage ? FIRST_SUBJECT : last;
      await Promise.all([...bySubject.values()].map((own) => this.#publishInOrder(own)));
      if (isLastPage) return;
      // The last subject may have more rows.
      this.#afterSubject = lastButOne;
    }
  }

  /** Publishes the first rows of a subject. */
  async #publishInOrder(rows: readonly Emission[]): Promise<void> {
    for (let from = 0; from < rows.length;) {
      const count = await this.#publishBatch(rows.slice(from, from + BATCH_ROWS));
      from += count;
      const next = rows[from];
      if (count === BATCH_ROWS || next === undefined) continue;
      // What was committed before is in the rows before, which are published, or has no row: then it is published in
      // the turn of its commit.
      await new Promise((resolve) => setImmediate(resolve));
      const { subject, number, publication } = next;
      await this.#options.bus.publishNext(publication, { subject, number, after: number - 1 });
      this.#notePublished(subject, number);
      from += 1;
    }
  }

  /** Offers rows of a subject at the same time, and returns how many of the first ones are published. Rejects if the next one failed. */
  async #publishBatch(rows: readonly Emission[]): Promise<number> {
    const { bus } = this.#options;
    // The bus takes them in the order of these calls, and each only after the one before.
    const offers = await Promise.allSettled(
      rows.map(async ({ subject, number, publication }) => {
        const { state } = await bus.publishNext(publication, { subject, number });
        const isPublished = state === 'taken' || state === 'had';
        if (isPublished) this.#notePublished(subject, number);
        return isPublished;
      }),
    );
    const end = offers.findIndex((offer) => offer.status === 'rejected' || !offer.value);
    const first = offers[end];
    if (first?.status === 'rejected') throw first.reason;
    return end === -1 ? rows.length : end;
  }

  #notePublished(subject: string, number: number): void {
    this.#published.set(subject, Math.max(number, this.#published.get(subject) ?? 0));
    if (this.#deletion !== undefined || this.#isEnding) return;
    this.#deletion = setTimeout(() => {
      this.#deletePublished().catch((error: unknown) => this.#fail(error));
    }, DELETE_AFTER_MS);
  }

  #deletePublished(): Promise<void> {
    clearTimeout(this.#deletion);
    this.#deletion = undefined;
    // One after another, so that what was noted before the call is deleted when this resolves.
    this.#deleting = this.#deleting.catch(() => {}).then(() => this.#deleteNoted());
    return this.#deleting;
  }

  async #deleteNoted(): Promise<void> {
    if (this.#published.size === 0) return;
    // If they stay, a look offers them again, and the bus has had them.
    const published = this.#published;
    this.#published = new Map();
    await this.#options.database.transaction(({ sql }) => deleteRows(sql, published));
  }

  #succeed(): void {
    if (this.#isFailing) this.#options.log.info({}, 'committed events are published again');
    this.#isFailing = false;
  }

  #fail(error: unknown): void {
    if (this.#isEnding) return;
    if (!this.#isFailing) {
      this.#options.log.warn({ err: error }, 'committed events cannot be published for now');
    }
    this.#isFailing = true;
  }
}
