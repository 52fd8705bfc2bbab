import { sql } from 'kysely';
import type { Logger } from '../../log/logger.ts';
import type { Database, Row, Writer } from './database.ts';
import { postgresConfig } from './postgres-connection.ts';
import { LOCKS } from './postgres-locks.ts';
import { bringUpToDate } from './postgres-migration.ts';
import { PostgresPool } from './postgres-pool.ts';
import { BEGIN, queryBuilder } from './postgres-query-builder.ts';
import { CHANNEL, PostgresRevision } from './postgres-revision.ts';
import { runStatements } from './run-statements.ts';
import { Turns } from './turns.ts';

export { claimPostgres } from './postgres-claim.ts';

/** How a PostgreSQL is used. */
export interface PostgresOptions {
  readonly log: Logger;
  /** What an operation may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxConnections: number;
}

const BARRIER = [LOCKS.transaction, LOCKS.quietTransaction]
  .map((lock) => `select pg_advisory_xact_lock_shared(${lock})`)
  .join('; ');

/** Opens a database, brought to the newest schema. */
export async function openPostgres(url: string, options: PostgresOptions): Promise<Database> {
  const { log, timeoutMs, maxConnections } = options;
  const config = postgresConfig(url, timeoutMs);
  await using opened = new AsyncDisposableStack();
  const pool = opened.use(new PostgresPool({ config, maxConnections, barrier: BARRIER }));
  await bringUpToDate(pool);
  const revision = opened.use(
    await PostgresRevision.open(config, { log, onAnswer: () => pool.noteAnswer() }),
  );
  const owned = opened.move();
  const reader = queryBuilder(pool, { begin: BEGIN });
  return {
    reader: async () => reader,
    revision: () => revision.current(),
    rows: (query) => rowsOf(pool, query),
    ...transactionsOf(pool, revision),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function rowsOf(pool: PostgresPool, query: string): Promise<readonly Row[]> {
  const lease = await pool.lease();
  try {
    return (await lease.query(query)).rows;
  } finally {
    lease.release();
  }
}

function transactionsOf(
  pool: PostgresPool,
  revision: PostgresRevision,
): Pick<Database, 'transaction' | 'quietTransaction' | 'quietly' | 'tryQuietTransaction'> {
  const locking = (lock: string) => `${BEGIN}; select pg_advisory_xact_lock(${lock})`;
  const turns = new Turns(1);
  const quietTurns = new Turns(1);
  const ordinary = queryBuilder(pool, { begin: locking(LOCKS.transaction), turns });
  const quiet = queryBuilder(pool, { begin: locking(LOCKS.quietTransaction), turns: quietTurns });
  const unlocked = queryBuilder(pool, { begin: BEGIN, turns: quietTurns });
  return {
    async transaction(work) {
      const announced = revision.begin();
      try {
        const result = await ordinary.transaction().execute(async (writer) => {
          const worked = await work(writer);
          await sql`select pg_notify(${sql.lit(CHANNEL)}, ${announced})`.execute(writer);
          return worked;
        });
        revision.committed(announced);
        return result;
      } catch (error) {
        revision.failed(announced);
        throw error;
      }
    },
    quietTransaction: (work) => quiet.transaction().execute(work),
    quietly: (statements) =>
      quiet.transaction().execute((writer) => runStatements(writer, statements)),
    tryQuietTransaction: (work) =>
      unlocked
        .transaction()
        .execute(async (writer) => ((await tryLock(writer)) ? work(writer) : undefined)),
  };
}

async function tryLock(writer: Writer): Promise<boolean> {
  const locking = sql<{
    readonly isHeld: boolean;
  }>`select pg_try_advisory_xact_lock(${sql.raw(LOCKS.quietTransaction)}) as "isHeld"`;
  return (await locking.execute(writer)).rows[0]?.isHeld === true;
}
