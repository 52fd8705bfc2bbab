import { sql as query } from 'kysely';
import type { Database, Transaction } from '../../../server/src/ports/database/database.ts';
import { until } from '../until.ts';

/**
 * The longest time that 2.5 s may take on a busy machine. An operation that waits for a missing server takes far
 * longer.
 */
const IN_TIME_MS = 12_000;

const operations: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  'a read': async (database) => countOf(database),
  'a transaction': (database) => database.transaction(note),
  'a transaction that changes what is cached': (database) =>
    database.transaction(async (tx) => {
      tx.changed('content', 'a');
      await note(tx);
    }),
};

/** Writes a new row. */
export async function note({ sql }: Transaction): Promise<string> {
  await sql.insertInto('settings').values({ name: crypto.randomUUID(), value: '' }).execute();
  return 'noted';
}

/** Lets a transaction on PostgreSQL be idle for as long as it likes. Otherwise the server would end it after 2 s. */
export async function beIdle({ sql }: Transaction): Promise<void> {
  await query`set local idle_in_transaction_session_timeout = 0`.execute(sql);
}

/** The count of `increment`. */
export async function countOf(database: Database): Promise<string | undefined> {
  const db = database.reader;
  const query = db.selectFrom('settings').select('value').where('name', '=', 'count');
  return (await query.executeTakeFirst())?.value;
}

/** Resolves with whether an operation succeeded, failed in time or took too long. */
export async function outcome(work: Promise<unknown>): Promise<'done' | 'failed' | 'hangs'> {
  const { promise: isOver, resolve } = Promise.withResolvers<'hangs'>();
  const timer = setTimeout(resolve, IN_TIME_MS, 'hangs');
  const done = work.then(
    () => 'done' as const,
    () => 'failed' as const,
  );
  const first = await Promise.race([done, isOver]);
  clearTimeout(timer);
  return first;
}

/** The {@link outcome} of each kind of operation. */
export async function outcomes(database: Database): Promise<Readonly<Record<string, string>>> {
  const all = Object.entries(operations).map(
    async ([name, operate]) => [name, await outcome(operate(database))] as const,
  );
  return Object.fromEntries(await Promise.all(all));
}

/** Each kind of operation with the same outcome. */
export const allOf = (expected: string) =>
  Object.fromEntries(Object.keys(operations).map((name) => [name, expected]));

/** Resolves when the database has recovered, and every operation succeeds again. */
export function untilBack(database: Database): Promise<void> {
  return until(async () => Bun.deepEquals(await outcomes(database), allOf('done')));
}
