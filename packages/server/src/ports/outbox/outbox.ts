import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../log/logger.ts';
import type { Bus, Publication } from '../bus/bus.ts';
import type { Database, Transaction } from '../database/database.ts';
import { insertRows, selectWaiting, takeNumber, type Emission } from './store.ts';
import { RowPublisher } from './row-publisher.ts';

/** That in whose order an event is published, such as a channel. */
export interface Subject {
  readonly subject: string;
  /** The event's number, if the caller has taken it in this transaction from a row of its own; numbers grow by one from 1. */
  readonly number?: number;
}

/** A transaction that may publish. */
export interface EmittingTransaction extends Transaction {
  /**
   * Publishes an event or a control entry after the commit, once and in the order of its subject; between subjects there
   * is no order. Nothing is published if the transaction is rolled back. Other transactions that emit for the subject
   * wait until this one ends, so emit late. Rejects after the transaction's work.
   */
  emit(publication: Publication, subject: Subject): Promise<void>;
}

/** The instance's tables, together with what is published of changes to them. */
export interface EmittingDatabase extends Database {
  /**
   * As that of {@link Database}. Resolves when what was emitted is published too. Events in rows are not waited for if
   * the bus cannot be reached, or for more than about a second: they are published as soon as possible, by this process
   * or another.
   */
  transaction<Result>(work: (tx: EmittingTransaction) => Promise<Result>): Promise<Result>;
}

/** What an outbox works with. */
export interface OutboxOptions {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  /**
   * Which events are kept in rows until they are published. `all` if a process may end, or lose its connection, between
   * a commit and the publication while others go on. `foreign` if the database and the gateways end with this process:
   * then rows come from owner's commands only.
   */
  readonly rows: 'all' | 'foreign';
}

/** Publishes what this process commits, and what others have left. */
export function openOutbox({ rows, ...options }: OutboxOptions): EmittingDatabase {
  const { database, bus } = options;
  const publisher = new RowPublisher(options);
  return emittingDatabase(database, {
    async record({ sql }, emissions) {
      // What is in rows is published in the order of rows, so that what follows it is in rows too.
      const waiting =
        rows === 'all' ? undefined : await selectWaiting(sql, emissions.map(subjectOf));
      const inRows = emissions.filter(({ subject }) => waiting?.has(subject) ?? true);
      await insertRows(sql, inRows);
      return async () => {
        const others = emissions.filter((emission) => !inRows.includes(emission));
        await Promise.all([publisher.publish(inRows), publishFromMemory(bus, others)]);
      };
    },
    close: () => publisher[Symbol.asyncDispose](),
  });
}

/** The database of an owner's command: a running instance publishes what it emits, or the next one that starts. */
export function ownerOutbox(database: Database): EmittingDatabase {
  return emittingDatabase(database, {
    async record(tx, emissions) {
      await insertRows(tx.sql, emissions);
      for (const { subject } of emissions) tx.changed('outbox', subject);
      return async () => {};
    },
    close: async () => {},
  });
}

interface Recorder {
  /** Keeps what a transaction has emitted, at its end, and returns what publishes it after the commit. */
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
        // It may be run again: what an earlier attempt has emitted was rolled back.
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

/** What `work` is given, and what refuses to emit once it has settled: that would be published no more. */
function emittingTransaction(tx: Transaction, emissions: Emission[]) {
  let isOver = false;
  const transaction: EmittingTransaction = {
    get sql() {
      return tx.sql;
    },
    run: (statement) => tx.run(statement),
    changed: (kind, id) => tx.changed(kind, id),
    async emit(publication, { subject, number }) {
      if (isOver) throw new Error('the transaction is over');
      emissions.push({
        subject,
        number: number ?? (await takeNumber(tx.sql, subject)),
        publication,
      });
    },
  };
  return { transaction, end: () => void (isOver = true) };
}

// Nothing of these subjects is in rows, and transactions end one after another: everything before was published. The bus
// refuses nothing unless the instance is stopping, and then nobody is connected.
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
