import type { Clock } from '../../clock.ts';
import type { Logger } from '../../log/logger.ts';
import type { Bus } from '../bus/bus.ts';
import type { Database } from '../database/database.ts';
import { deleteRows, selectRowsAfter, selectRowsOf, type Emission } from './store.ts';

/** How often it is looked for rows that another process left, or that could not be published. */
const LOOK_PERIOD_MS = 1_000;

/** How often it is looked whether other processes have changed the database, where that does not announce itself. */
const HEAR_PERIOD_MS = 200;

/** Rows that are read at once, and how often in one look at all subjects. */
const PAGE_ROWS = 256;
const MOST_PAGES = 16;

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
  /** Looks that have not begun, by their subject; undefined for all subjects. */
  readonly #coming = new Map<string | undefined, Promise<void>>();
  #lastLook: Promise<void> = Promise.resolve();
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
   * Publishes what this process has committed in rows, in the order of calls. Never rejects: what cannot be published
   * now stays in its row.
   */
  async publish(emissions: readonly Emission[]): Promise<void> {
    await Promise.all(emissions.map((emission) => this.#publishOwn(emission)));
  }

  /** Publishes no more, and deletes what is published. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    this.#stopListening();
    this.#stopHearing();
    this.#stopLooking();
    await this.#lastLook;
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

  /** One look at a time. Whoever asks before it has begun waits for the same one. Never rejects. */
  #look(subject: string | undefined, look: () => Promise<void>): Promise<void> {
    const coming = this.#coming.get(subject);
    if (coming !== undefined) return coming;
    const next = this.#lastLook.then(async () => {
      this.#coming.delete(subject);
      if (this.#isEnding) return;
      try {
        await look();
        this.#succeed();
      } catch (error) {
        this.#fail(error);
      }
    });
    this.#coming.set(subject, next);
    this.#lastLook = next;
    return next;
  }

  async #publishSubject(subject: string): Promise<void> {
    const { reader } = this.#options.database;
    let rows: readonly Emission[];
    do {
      await this.#deletePublished();
      rows = await selectRowsOf(reader, subject, PAGE_ROWS);
      await this.#publishInOrder(rows);
    } while (rows.length === PAGE_ROWS);
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

  /** Publishes the first rows of a subject, one after another. */
  async #publishInOrder(rows: readonly Emission[]): Promise<void> {
    for (const { subject, number, publication } of rows) {
      const { bus } = this.#options;
      const { state } = await bus.publishNext(publication, { subject, number });
      if (state === 'missing' || state === 'unknown') {
        // What was committed before is in the rows before, which are published, or has no row: then it is published in
        // the turn of its commit.
        await new Promise((resolve) => setImmediate(resolve));
        await bus.publishNext(publication, { subject, number, after: number - 1 });
      }
      this.#notePublished(subject, number);
    }
  }

  #notePublished(subject: string, number: number): void {
    this.#published.set(subject, Math.max(number, this.#published.get(subject) ?? 0));
    if (this.#deletion !== undefined || this.#isEnding) return;
    this.#deletion = setTimeout(() => {
      this.#deletePublished().catch((error: unknown) => this.#fail(error));
    }, DELETE_AFTER_MS);
  }

  async #deletePublished(): Promise<void> {
    clearTimeout(this.#deletion);
    this.#deletion = undefined;
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
