import type { Logger } from '../../log/logger.ts';
import type { Migrations } from '../../schema.ts';
import { ChangeListeners } from './change-listeners.ts';
import type { Database } from './database.ts';
import { PostgresChanges } from './postgres-changes.ts';
import { postgresConfig } from './postgres-connection.ts';
import { LeaseConnection, postgresKysely } from './postgres-kysely.ts';
import { bringUpToDate } from './postgres-migration.ts';
import { PostgresPool } from './postgres-pool.ts';
import { PostgresTransactions } from './postgres-transactions.ts';

export { claimPostgres } from './postgres-claim.ts';

/** How a PostgreSQL database is used. */
export interface PostgresOptions {
  readonly log: Logger;
  /** The time limit of an operation, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxConnections: number;
  readonly migrations: Migrations;
}

/** Opens a database and brings it to the newest schema. */
export async function openPostgres(url: string, options: PostgresOptions): Promise<Database> {
  const { log, timeoutMs, maxConnections, migrations } = options;
  const config = postgresConfig(url, timeoutMs);
  await using opened = new AsyncDisposableStack();
  const pool = opened.use(new PostgresPool({ config, maxConnections }));
  await bringUpToDate(config, migrations);
  const listeners = new ChangeListeners(log);
  const onAnswer = () => pool.noteAnswer();
  const changes = opened.use(await PostgresChanges.open(config, { listeners, log, onAnswer }));
  const owned = opened.move();
  const kysely = postgresKysely();
  const { transaction } = new PostgresTransactions({ pool, kysely, listeners, maxConnections });
  return {
    reader: kysely.reader(async (consumer) => {
      const lease = await pool.lease();
      try {
        return await consumer(new LeaseConnection(lease));
      } finally {
        lease.release();
      }
    }),
    transaction,
    onChange: (listener) => listeners.add(listener),
    hearChanges: () => changes.isCertain,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
