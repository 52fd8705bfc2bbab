import {
  CompiledQuery,
  Kysely,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type SqliteDialectConfig,
} from 'kysely';
import { Migrator } from 'kysely/migration';
import { openSqlite } from '../../runtime/sqlite.ts';
import type { Database } from './database.ts';
import { migrations } from './migrations.ts';
import type { Tables } from './tables.ts';

/** How long a statement waits for another process, such as an owner's command, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

/** SQLite takes the write lock at the first write by default; a transaction that has read before could then fail. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
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
  if (applied.every((migration) => migration.executedAt !== undefined)) return;
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
