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
import { access, constants } from 'node:fs/promises';
import { errorCode } from '../../error-code.ts';
import { openSqlite, type SqliteFile } from '../../runtime/sqlite.ts';
import type { Database } from './database.ts';
import { migrations } from './migrations.ts';
import { BUSY_TIMEOUT_MS, untilUnlocked } from './sqlite-busy.ts';
import type { Tables } from './tables.ts';

/** Where it is noted which migrations a file has had; its name is never changed. */
const MIGRATION_TABLE = 'kysely_migration';

/** What SQLite says of a rollback where there is nothing to roll back; its code, SQLITE_ERROR, is that of anything. */
const NO_TRANSACTION = 'cannot rollback - no transaction is active';

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

  // SQLite itself ends a transaction in which the disk is full or fails; the caller is to hear of that.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!(error instanceof Error) || error.message !== NO_TRANSACTION) throw error;
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
 * Throws when the file cannot be opened or written to, is no database, or belongs to a newer Hearth.
 */
export async function sqliteDatabase(path: string): Promise<Database> {
  await refuseUnwritable(path);
  await using opened = new AsyncDisposableStack();
  const connect = (pragmas: readonly string[]) =>
    opened.adopt(openConnection(path, pragmas), (file) => file.close());
  const database = connect(['journal_mode = wal', 'synchronous = full']);
  const writer = new Kysely<Tables>({ dialect: new ImmediateDialect({ database }) });
  await migrate(writer);
  await refuseReadOnly(writer);
  // A connection of its own, because reads would wait for a transaction that waits for another process.
  const readingFile = connect(['query_only = on']);
  const reading = new SqliteDialect({ database: readingFile });
  const owned = opened.move();
  return {
    reader: new Kysely({ dialect: reading }),
    revision: readingFile.prepareNumber('pragma data_version'),
    transaction: (work) => writer.transaction().execute(work),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function openConnection(path: string, pragmas: readonly string[]): SqliteFile {
  const file = openSqlite(path);
  try {
    file.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    file.exec('pragma foreign_keys = on');
    for (const pragma of pragmas) file.exec(`pragma ${pragma}`);
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

// The migrator would look at every table and column to find out that there is nothing to do, at every start.
async function migrate(kysely: Kysely<Tables>): Promise<void> {
  const applied = await appliedMigrations(kysely);
  const unknown = applied.find((name) => !Object.hasOwn(migrations, name));
  if (unknown !== undefined) throw new Error(`it belongs to a newer Hearth (${unknown})`);
  if (Object.keys(migrations).every((name) => applied.includes(name))) return;
  const { Migrator } = await import('kysely/migration');
  const migrator = new Migrator({
    db: kysely,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
    migrationTableName: MIGRATION_TABLE,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function appliedMigrations(kysely: Kysely<Tables>): Promise<readonly string[]> {
  const tables = await sql`select 1 from sqlite_schema where name = ${MIGRATION_TABLE}`.execute(
    kysely,
  );
  if (tables.rows.length === 0) return [];
  const select = sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)}`;
  return (await select.execute(kysely)).rows.map(({ name }) => name);
}

// SQLite would open it for reading, with files beside it that may then only be read for good.
async function refuseUnwritable(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

// Whatever else keeps SQLite from writing, it would not tell before the first write.
async function refuseReadOnly(kysely: Kysely<Tables>): Promise<void> {
  await kysely.transaction().execute((writer) =>
    writer
      .deleteFrom('settings')
      .where(sql<boolean>`false`)
      .execute(),
  );
}
