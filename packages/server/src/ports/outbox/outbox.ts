import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../log/logger.ts';
import type { Bus, Publication } from '../bus/bus.ts';
import type { Database, Transaction } from '../database/database.ts';
import { insertRows, selectWaiting, takeNumbers, type Emission } from './store.ts';
import { RowPublisher } from './row-publisher.ts';

/** What an event belongs to, such as a channel. The events of one subject are published in order. */
export interface Subject {
  readonly subject: string;
  /** The event's number, if the caller took it from its own row in this transaction. Numbers count up from 1. */
  readonly number?: number;
}

/** A transaction that may publish events. */
export interface EmittingTransaction extends Transaction {
  /**
   * Publishes an event or a control entry after the commit, once and in the order of its subject. Events of different
   * subjects have no order. Nothing is published if the transaction is rolled back. Other transactions that emit for
   * the subject wait until this one ends, so emit late. Rejects after the transaction's work has ended.
   */
  emit(publication: Publication, subject: Subject): Promise<void>;

  /** The same for several, in their order. The numbers of all of them are taken together, in the order of the subjects. */
  emitAll(emitted: readonly Emitted[]): Promise<void>;
}

/** What is published, and what it belongs to. */
export type Emitted = readonly [publication: Publication, subject: Subject];

/** The instance's tables. Events about changes to them are published. */
export interface EmittingDatabase extends Database {
  /**
   * As in {@link Database}, but resolves after the emitted events are published too. If the bus cannot be reached, it
   * does not wait for events in rows, and otherwise for about a second at most. These events are published as soon as
   * possible, by this process or another.
   */
  transaction<Result>(work: (tx: EmittingTransaction) => Promise<Result>): Promise<Result>;
}

/** Options of an outbox. */
export interface OutboxOptions {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  /**
   * Which events are kept in rows until they are published. `all` if a process may end, or lose its connection, between
   * a commit and the publication while other processes continue. `foreign` if the database and the gateways end with
   * this process: then only owner's commands need rows.
   */
  readonly rows: 'all' | 'foreign';
}

/** Publishes the events that this process commits, and those that other processes left in rows. */
export function openOutbox({ rows, ...options }: OutboxOptions): EmittingDatabase {
  const { database, bus } = options;
  const publisher = new RowPublisher(options);
  return emittingDatabase(database, {
    async record(tx, emissions) {
      // Rows are published in order. So if a subject has rows, its next events have to be in rows too.
      const waiting =
        rows === 'all' ? undefined : await selectWaiting(tx, emissions.map(subjectOf));
      const inRows = emissions.filter(({ subject }) => waiting?.has(subject) ?? true);
      if (inRows.length > 0) await insertRows(tx, inRows);
      return async () => {
        if (inRows.length === 0) return publishFromMemory(bus, emissions);
        const others = emissions.filter((emission) => !inRows.includes(emission));
        await Promise.all([publisher.publish(inRows), publishFromMemory(bus, others)]);
      };
    },
    close: () => publisher[Symbol.asyncDispose](),
  });
}

/** The database of an owner's command. The running instance publishes its events, or else the next start does. */
export function ownerOutbox(database: Database): EmittingDatabase {
  return emittingDatabase(database, {
    async record(tx, emissions) {
      await insertRows(tx, emissions);
      for (const { subject } of emissions) tx.changed('outbox', subject);
      return async () => {};
    },
    close: async () => {},
  });
}

interface Recorder {
  /** Records the events of a transaction at its end. Returns a function that publishes them after the commit. */
  readonly record: (
    tx: Transaction,
    emissions: readonly Emission[],
  ) => Promise<() => Promise<unknown>>;
  readonly close: () => Promise<void>;
}

function emittingDatabase(database: Database, { record, close }: Recorder): EmittingDatabase {
  return {
    ...database,
    async transaction(work) {
      let publish: (() => Promise<unknown>) | undefined;
      const result = await database.transaction(async (tx) => {
        // The work may run again. The events of an earlier attempt were rolled back.
        publish = undefined;
        const emissions: Emission[] = [];
        const emitting = emittingTransaction(tx, emissions);
        const done = await work(emitting.transaction);
        emitting.end();
        if (emissions.length > 0) publish = await record(tx, emissions);
        return done;
      });
      await publish?.();
      return result;
    },
    [Symbol.asyncDispose]: close,
  };
}

/** The transaction for `work`. After `end`, it refuses events, because nothing would publish them. */
function emittingTransaction(tx: Transaction, emissions: Emission[]) {
  let isOver = false;
  const transaction: EmittingTransaction = {
    get sql() {
      return tx.sql;
    },
    run: (statement) => tx.run(statement),
    rows: (statement) => tx.rows(statement),
    hold: (name, how) => tx.hold(name, how),
    changed: (kind, id) => tx.changed(kind, id),
    async emit(publication, { subject, number }) {
      if (number === undefined) return transaction.emitAll([[publication, { subject }]]);
      if (isOver) throw new Error('the transaction is over');
      emissions.push({ subject, number, publication });
    },
    async emitAll(emitted) {
      if (isOver) throw new Error('the transaction is over');
      const counts = new Map<string, number>();
      for (const [, { subject, number }] of emitted) {
        if (number === undefined) counts.set(subject, (counts.get(subject) ?? 0) + 1);
      }
      const next = counts.size === 0 ? counts : await firstNumbers(tx, counts);
      for (const [publication, { subject, number: given }] of emitted) {
        const number = given ?? next.get(subject) ?? 0;
        if (given === undefined) next.set(subject, number + 1);
        emissions.push({ subject, number, publication });
      }
    },
  };
  return { transaction, end: () => void (isOver = true) };
}

/** Takes numbers of subjects, as many as it says of each. Returns the first of each. */
async function firstNumbers(
  { sql }: Transaction,
  counts: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const last = await takeNumbers(sql, counts);
  return new Map(
    Array.from(last, ([subject, number]) => [subject, number - (counts.get(subject) ?? 0) + 1]),
  );
}

// These subjects have no rows, and transactions end one after another, so all earlier events are published. The bus
// refuses nothing unless the instance is stopping, and then no client is connected.
async function publishFromMemory(bus: Bus, emissions: readonly Emission[]): Promise<void> {
  await Promise.allSettled(
    emissions.map(async ({ subject, number, publication }) =>
      bus.publishNext(publication, { subject, number, after: number - 1 }),
    ),
  );
}

function subjectOf({ subject }: Emission): string {
  return subject;
}
