import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../log/logger.ts';
import type { Bus } from '../bus/bus.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Emitted, EmittingTransaction } from './emitting-transaction.ts';
import { insertRows, selectWaiting, takeNumbers, type Emission } from './store.ts';
import { RowPublisher } from './row-publisher.ts';
import { withQueues, type EmittingDatabase } from './with-queues.ts';

export type { Emitted, EmittingTransaction, Subject } from './emitting-transaction.ts';
export { withQueues, type EmittingDatabase } from './with-queues.ts';
export {
  amongAll,
  dropOut,
  DroppedOut,
  onlyOf,
  type Outcome,
  type WriteWork,
  type Writing,
} from './write-queue.ts';

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
      return () => {
        if (inRows.length === 0) return publishFromMemory(bus, emissions);
        const others = emissions.filter((emission) => !inRows.includes(emission));
        return Promise.all([publisher.publish(inRows), publishFromMemory(bus, others)]);
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
      return () => undefined;
    },
    close: async () => {},
  });
}

/** Publishes what was committed. Returns nothing if that is done at once. */
type Publishing = () => Promise<unknown> | undefined;

interface Recorder {
  /** Records the events of a transaction at its end. Returns the function that publishes them after the commit. */
  readonly record: (tx: Transaction, emissions: readonly Emission[]) => Promise<Publishing>;
  readonly close: () => Promise<void>;
}

function emittingDatabase(database: Database, { record, close }: Recorder): EmittingDatabase {
  const transaction: EmittingDatabase['transaction'] = async (work, options) => {
    let publish: Publishing | undefined;
    let published: Promise<unknown> | undefined;
    let callbacks: (() => void)[] = [];
    const onCommit = () => {
      published = publish?.();
      for (const callback of callbacks) callback();
      options?.onCommit?.();
    };
    const result = await database.transaction(
      async (tx) => {
        // The work may run again. The events of an earlier attempt were rolled back.
        publish = undefined;
        const emissions: Emission[] = [];
        callbacks = [];
        const emitting = emittingTransaction(tx, { emissions, callbacks });
        const done = await work(emitting.transaction);
        await emitting.end();
        if (emissions.length > 0) publish = await record(tx, emissions);
        return done;
      },
      { ...options, onCommit },
    );
    await published;
    return result;
  };
  return withQueues({ ...database, transaction, [Symbol.asyncDispose]: close });
}

/** The transaction for `work`. After `end`, it refuses events, because nothing would publish them. */
function emittingTransaction(
  tx: Transaction,
  { emissions, callbacks }: { readonly emissions: Emission[]; readonly callbacks: (() => void)[] },
) {
  let isOver = false;
  let emitted: Emitted[] = [];
  const takeNumbers = async () => {
    const all = emitted;
    emitted = [];
    emissions.push(...(await numbered(tx, all)));
  };
  const transaction: EmittingTransaction = {
    get sql() {
      return tx.sql;
    },
    run: (statement) => tx.run(statement),
    rows: (statement) => tx.rows(statement),
    many: (statement) => tx.many(statement),
    runMany: (statement) => tx.runMany(statement),
    hold: (name, how) => tx.hold(name, how),
    changed: (kind, id) => tx.changed(kind, id),
    emit: (publication, place) => transaction.emitAll([[publication, place]]),
    async emitAll(all) {
      if (isOver) throw new Error('the transaction is over');
      emitted.push(...all);
    },
    takeNumbers,
    afterCommit: (callback) => void callbacks.push(callback),
  };
  const end = () => {
    isOver = true;
    return takeNumbers();
  };
  return { transaction, end };
}

/** The events with their numbers. Those that have none get them at the end, when their transaction locks nothing else any more. */
async function numbered(
  tx: Transaction,
  emitted: readonly Emitted[],
): Promise<readonly Emission[]> {
  const counts = new Map<string, number>();
  for (const [, { subject, number }] of emitted) {
    if (number === undefined) counts.set(subject, (counts.get(subject) ?? 0) + 1);
  }
  const next = counts.size === 0 ? counts : await firstNumbers(tx, counts);
  return emitted.map(([publication, { subject, number: given }]) => {
    const number = given ?? next.get(subject) ?? 0;
    if (given === undefined) next.set(subject, number + 1);
    return { subject, number, publication };
  });
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
function publishFromMemory(bus: Bus, emissions: readonly Emission[]): Promise<unknown> | undefined {
  const slow: Promise<unknown>[] = [];
  for (const { subject, number, publication } of emissions) {
    try {
      const verdict = bus.publishNext(publication, { subject, number, after: number - 1 });
      if (verdict instanceof Promise) slow.push(verdict);
    } catch {}
  }
  return slow.length === 0 ? undefined : Promise.allSettled(slow);
}

function subjectOf({ subject }: Emission): string {
  return subject;
}
