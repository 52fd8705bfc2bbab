import type { Logger } from '../../log/logger.ts';
import type { Migrations, TableList } from './table-data.ts';
import { ChangeListeners } from './change-listeners.ts';
import { ordinaryOf } from './connection-permits.ts';
import type { ChangeKind, Database } from './database.ts';
import { PostgresChanges } from './postgres-changes.ts';
import { postgresConfig } from './postgres-connection.ts';
import { LeaseConnection, postgresKysely } from './postgres-kysely.ts';
import { bringUpToDate } from './postgres-migration.ts';
import { PostgresPool } from './postgres-pool.ts';
import { PostgresTransactions } from './postgres-transactions.ts';
import { StoredForms } from './stored-forms.ts';

export { claimPostgres } from './postgres-claim.ts';

export interface PostgresOptions {
  readonly log: Logger;
  /** The time limit of an operation, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxConnections: number;
  /** True if no other process serves clients; false by default. */
  readonly isAlone?: boolean;
  readonly migrations: Migrations;
  readonly tables: TableList;
  /** The kinds of changes for which nobody waits. */
  readonly starting: ReadonlySet<ChangeKind>;
}

/** Opens a database and brings it to the newest schema. */
export async function openPostgres(url: string, options: PostgresOptions): Promise<Database> {
  const { log, timeoutMs, maxConnections, migrations, tables, starting, isAlone = false } = options;
  const config = postgresConfig(url, timeoutMs);
  await using opened = new AsyncDisposableStack();
  const onFull = () => changes.askForRoom();
  const pool = opened.use(new PostgresPool({ config, maxConnections, onFull }));
  pool.keep(await bringUpToDate(config, migrations));
  const listeners = new ChangeListeners(log);
  const changes = opened.use(
    await PostgresChanges.open(config, {
      listeners,
      log,
      isAlone,
      starting,
      onAnswer: () => pool.noteAnswer(),
      onRoomWanted: () => void pool.closeIdle(),
    }),
  );
  const owned = opened.move();
  const kysely = postgresKysely();
  const forms = new StoredForms(tables);
  const { transaction } = new PostgresTransactions({ pool, kysely, forms, listeners, changes });
  return {
    reader: kysely.reader(async (consumer) => {
      const beganAtMs = performance.now();
      using _permit = await pool.permit('read');
      const lease = await pool.lease(pool.timeoutMs - (performance.now() - beganAtMs));
      try {
        return await consumer(new LeaseConnection(lease, forms));
      } finally {
        lease.release();
      }
    }),
    transaction,
    // Others of the process need some, too.
    atOnce: Math.max(1, Math.ceil((ordinaryOf(maxConnections) * 2) / 3)),
    onChange: (listener) => listeners.add(listener),
    hearChanges: () => changes.isCertain,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
