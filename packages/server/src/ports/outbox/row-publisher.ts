import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../log/logger.ts';
import type { Bus } from '../bus/bus.ts';
import { KEPT, type Database } from '../database/database.ts';
import { SharedRuns } from './shared-runs.ts';
import { deleteRows, selectRowsAfter, selectRowsOf, type Emission } from './store.ts';

/** The time in milliseconds between two polls for rows that another process left or that could not be published. */
const POLL_PERIOD_MS = 1_000;

/**
 * The time in milliseconds between two checks for changes by other processes if the database does not announce them.
 */
const HEAR_PERIOD_MS = 200;

/** The number of rows that are read at once, and of reads in one poll of all subjects. */
const PAGE_ROWS = 256;
const MOST_PAGES = 16;

/** The number of rows of a subject that are passed to the bus at once. */
const BATCH_ROWS = 64;

/** The time in milliseconds that a caller that has committed events waits for their publication. */
const OWN_MS = 1_000;

/** The time in milliseconds for which published rows are collected before they are deleted. */
const DELETE_AFTER_MS = 100;

/** Sorts before every subject. */
const FIRST_SUBJECT = '';

/** Options of a publisher. */
export interface RowPublisherOptions {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Publishes rows of the outbox, and deletes them afterwards. Any number of processes may do so at the same time,
 * because the bus takes each number of a subject once and in order.
 */
export class RowPublisher implements AsyncDisposable {
  readonly #options: RowPublisherOptions;
  readonly #stopListening: () => void;
  readonly #stopHearing: () => void;
  readonly #stopPolling: () => void;
  /** The last published number of each subject that has published rows to delete. */
  #published = new Map<string, number>();
  #deletion: NodeJS.Timeout | undefined;
  #deleting: Promise<void> = Promise.resolve();
  /** Polls by subject; the key is undefined for a poll of all subjects. */
  readonly #polls = new SharedRuns<string | undefined>();
  /** The next poll of all subjects continues after this one. */
  #afterSubject = FIRST_SUBJECT;
  #isFailing = false;
  #isEnding = false;

  constructor(options: RowPublisherOptions) {
    const { database, clock } = options;
    this.#options = options;
    this.#stopListening = database.onChange((changes) => {
      if (changes === 'unknown' || changes.some(({ kind }) => kind === 'outbox')) this.#pollAll();
    });
    this.#stopHearing = clock.every(HEAR_PERIOD_MS, () => database.hearChanges());
    this.#stopPolling = clock.every(POLL_PERIOD_MS, () => this.#pollAll());
    this.#pollAll();
  }

  /**
   * Publishes the events that this process has committed in rows, in the order of the calls. Resolves when that is
   * done, or after about a second while it continues. Never rejects: an event that cannot be published now stays in
   * its row.
   */
  async publish(emissions: readonly Emission[]): Promise<void> {
    const own = Promise.all(emissions.map((emission) => this.#publishOwn(emission)));
    const { promise: isLate, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, OWN_MS);
    await Promise.race([own, isLate]);
    clearTimeout(timer);
  }

  /** Stops publishing, and deletes the rows that are published. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    this.#stopListening();
    this.#stopHearing();
    this.#stopPolling();
    await this.#polls.ended();
    // If this fails, the next process offers the rows to the bus again.
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
          return await this.#poll(subject, () => this.#publishSubject(subject));
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #pollAll(): void {
    void this.#poll(undefined, () => this.#publishAll());
  }

  #poll(subject: string | undefined, work: () => Promise<void>): Promise<void> {
    return this.#polls.run(subject, async () => {
      if (this.#isEnding) return;
      try {
        await work();
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
      // If some of these cannot be published, the next poll still begins after them.
      this.#afterSubject = isLastPage ? FIRST_SUBJECT : last;
      await Promise.all([...bySubject.values()].map((own) => this.#publishInOrder(own)));
      if (isLastPage) return;
      // The last subject may have more rows.
      this.#afterSubject = lastButOne;
    }
  }

  /** Publishes the earliest rows of a subject, in order. */
  async #publishInOrder(rows: readonly Emission[]): Promise<void> {
    for (let from = 0; from < rows.length;) {
      const count = await this.#publishBatch(rows.slice(from, from + BATCH_ROWS));
      from += count;
      const next = rows[from];
      if (count === BATCH_ROWS || next === undefined) continue;
      // Earlier events are published by now: those in rows by the calls above, and those without a row in the turn of
      // the event loop in which they were committed.
      await new Promise((resolve) => setImmediate(resolve));
      const { subject, number, publication } = next;
      await this.#options.bus.publishNext(publication, { subject, number, after: number - 1 });
      this.#notePublished(subject, number);
      from += 1;
    }
  }

  /**
   * Offers rows of a subject to the bus at the same time. Returns how many are published before the first one that is
   * not. Rejects if that one failed.
   */
  async #publishBatch(rows: readonly Emission[]): Promise<number> {
    const { bus } = this.#options;
    // The bus takes the rows in the order of these calls, and each row only after the previous one.
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
    // Deletions run one after another, so that all rows noted before the call are deleted when this resolves.
    this.#deleting = this.#deleting.catch(() => {}).then(() => this.#deleteNoted());
    return this.#deleting;
  }

  async #deleteNoted(): Promise<void> {
    if (this.#published.size === 0) return;
    // If the rows stay, a later poll offers them again, and the bus answers that it has had them.
    const published = this.#published;
    this.#published = new Map();
    await this.#options.database.transaction(({ sql }) => deleteRows(sql, published), KEPT);
  }

  #succeed(): void {
    if (this.#isFailing) this.#options.log.info({}, 'committed events are published again');
    this.#isFailing = false;
  }

  #fail(error: unknown): void {
    if (this.#isEnding) return;
    if (!this.#isFailing) {
      this.#options.log.warn({ err: error }, 'committed events cannot be published, trying again');
    }
    this.#isFailing = true;
  }
}
