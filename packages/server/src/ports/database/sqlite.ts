import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  sql,
  type DatabaseConnection,
  type SqliteDialectConfig,
} from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import { openSqlite } from '../../runtime/sqlite.ts';
import type { Database } from './database.ts';
import { migrations } from './migrations.ts';
import { BUSY_TIMEOUT_MS, untilUnlocked } from './sqlite-busy.ts';
import type { Tables } from './tables.ts';

/** SQLite takes the write lock at the first write by default; a transaction that has read before could then fail. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const run = (text: string) => connection.executeQuery(CompiledQuery.raw(text));
    await run('pragma busy_timeout = 0');
    try {
      await untilUnlocked(() => run('begin immediate'));
    } finally {
      await run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }
}

/** All migrations are one transaction, so that neither a kill nor another process comes between them. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#config);
  }
}

/**
 * The embedded engine: one file, brought to the newest schema. Several processes may have it open.
 * Throws when the file cannot be opened, is no database, or belongs to a newer Hearth.
 */
export async function sqliteDatabase(path: string): Promise<Database> {
  const file = openSqlite(path);
  try {
    file.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    file.exec('pragma journal_mode = wal');
    file.exec('pragma synchronous = full');
    file.exec('pragma foreign_keys = on');
    const kysely = new Kysely<Tables>({ dialect: new ImmediateDialect({ database: file }) });
    await migrate(kysely);
    return {
      reader: kysely,
      transaction: (work) => kysely.transaction().execute(work),
      [Symbol.asyncDispose]: () => kysely.destroy(),
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

async function migrate(kysely: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({
    db: kysely,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  });
  const applied = await migrator.getMigrations();
  if (applied.every((migration) => migration.executedAt !== undefined)) {
    await refuseNewer(kysely);
    return;
  }
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

// The migrator itself overlooks migrations that it does not know when there is nothing to do.
async function refuseNewer(kysely: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(kysely);
  const unknown = rows.find(({ name }) => !Object.hasOwn(migrations, name));
  if (unknown !== undefined) throw new Error(`it belongs to a newer Hearth (${unknown.name})`);
}
