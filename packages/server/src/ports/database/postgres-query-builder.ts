import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  type DatabaseConnection,
  type PostgresDialectConfig,
  type PostgresPool as KyselyPool,
} from 'kysely';
import type { Lease, LeaseTerms, PostgresPool } from './postgres-pool.ts';
import type { Tables } from './tables.ts';
import type { Turns } from './turns.ts';

type Connection = Parameters<PostgresDriver['rollbackTransaction']>[0];

/** How a kind of transactions is run. */
export interface TransactionKind {
  /** Statements. What they lock is had when the transaction begins. */
  readonly begin: string;
  /** Where those of this process wait for each other, so that they take no connections from readers. */
  readonly turns?: Turns;
  readonly timeoutMs?: number;
}

/** What begins a transaction that may write and sees what was committed before each of its statements. */
export const BEGIN = 'begin isolation level read committed read write';

class PostgresTransactions extends PostgresDriver {
  readonly #pool: PostgresPool;
  readonly #begin: string;

  constructor(config: PostgresDialectConfig, pool: PostgresPool, begin: string) {
    super(config);
    this.#pool = pool;
    this.#begin = begin;
  }

  override async beginTransaction(connection: Connection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw(this.#begin));
    } catch (error) {
      // The first of the statements may have been done.
      await this.rollbackTransaction(connection);
      throw error;
    }
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection);
    } catch (error) {
      this.#pool.noteUnknownCommit();
      throw error;
    }
  }

  // Where that fails the connection is destroyed, which undoes the transaction as well.
  override async rollbackTransaction(connection: Connection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {});
  }
}

/** The lock of a migration is taken by what begins its transaction. */
class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class PooledDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #pool: PostgresPool;
  readonly #begin: string;

  constructor(config: PostgresDialectConfig, pool: PostgresPool, begin: string) {
    super(config);
    [this.#config, this.#pool, this.#begin] = [config, pool, begin];
  }

  override createAdapter(): PostgresAdapter {
    return new UnlockedAdapter();
  }

  override createDriver(): PostgresDriver {
    return new PostgresTransactions(this.#config, this.#pool, this.#begin);
  }
}

/** Runs queries on connections of `pool`, and transactions of one kind. */
export function queryBuilder(pool: PostgresPool, kind: TransactionKind): Kysely<Tables> {
  const config = { pool: kyselyPool(() => leaseFor(pool, kind)) };
  return new Kysely<Tables>({ dialect: new PooledDialect(config, pool, kind.begin) });
}

async function leaseFor(pool: PostgresPool, kind: TransactionKind): Promise<Lease> {
  const { turns, timeoutMs = pool.timeoutMs } = kind;
  if (turns === undefined) return pool.lease({ timeoutMs });
  const startedAtMs = performance.now();
  const endTurn = await turns.take(timeoutMs);
  try {
    const leftMs = timeoutMs - (performance.now() - startedAtMs);
    const terms: LeaseTerms = { timeoutMs: leftMs, onRelease: endTurn };
    return await pool.lease(terms);
  } catch (error) {
    endTurn();
    throw error;
  }
}

// Guarantee: Kysely asks for connections, runs queries with parameters on them and releases them; it streams nothing.
function kyselyPool(connect: () => Promise<Lease>): KyselyPool {
  return { connect, end: async () => {}, options: {} } as unknown as KyselyPool;
}
