import { failureOf } from '../database/failure.ts';
import type { EmittingTransaction } from './emitting-transaction.ts';
import type { Database, TransactionOptions } from '../database/database.ts';
import { busy, type WriteBounds } from './write-bounds.ts';
import { alone, type AloneWork, type WriteWork, type Writing } from './write-queue.ts';
import { WriteQueues } from './write-queues.ts';

/** The instance's tables. Events about changes to them are published. */
export interface EmittingDatabase extends Database {
  /**
   * As in {@link Database}, but resolves after the emitted events are published too. If the bus cannot be reached, it
   * does not wait for events in rows, and otherwise for about a second at most. These events are published as soon as
   * possible, by this process or another.
   */
  transaction<Result>(
    work: (tx: EmittingTransaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;

  /**
   * Does a call in a transaction together with others that have the same `work` and wait for the same subject: this process has
   * one transaction for a subject at a time. Resolves as {@link transaction} does. Rejects with what becomes of this call alone,
   * and with RateLimitedError `busy` if too much waits for the subject, or others hold it for too long.
   */
  write<Call, Result>(work: WriteWork<Call, Result>, call: Call, writing: Writing): Promise<Result>;

  /** Writes what is never done together with other work. */
  writeAlone<Result>(
    writing: Writing,
    work: (tx: EmittingTransaction) => Promise<Result>,
  ): Promise<Result>;
}

/**
 * A database with queues of writes, which run its transactions, with the bounds of every instance unless others are given. They have
 * to be in the same bundle as the verbs, because both know the classes of errors.
 */
export function withQueues(
  database: Omit<EmittingDatabase, 'write' | 'writeAlone'>,
  bounds?: Partial<WriteBounds>,
): EmittingDatabase {
  const { transaction, atOnce } = database;
  const nowMs = () => performance.now();
  const queues = new WriteQueues({ transaction, failureOf: refusalOf, atOnce, nowMs, bounds });
  return {
    ...database,
    write: (work, call, writing) => queues.write(work, call, writing),
    writeAlone: <Result>(writing: Writing, work: AloneWork<Result>) =>
      queues.write(alone<Result>, work, writing),
  };
}

/** The error for all calls of a transaction that failed; undefined if something in it was wrong, which may be one call. */
function refusalOf(error: unknown): unknown {
  switch (failureOf(error)) {
    case 'work':
      return undefined;
    case 'late':
      return busy(0);
    case 'away':
      return error;
  }
}
