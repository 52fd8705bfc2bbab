import { accessSync, constants } from 'node:fs';
import { errorCode } from '../../lib/error-code.ts';
import type { Logger } from '../../log/logger.ts';
import { openSqlite, type SqliteFile } from '../../runtime/sqlite.ts';
import type { Migrations, TableList } from './table-data.ts';
import { ChangeListeners } from './change-listeners.ts';
import type { Database } from './database.ts';
import { isUpToDate, MIGRATION_TABLE, runMigrations } from './migration.ts';
import { beginImmediate, BUSY_TIMEOUT_MS, rollBack, untilUnlocked } from './sqlite-busy.ts';
import { SqliteChanges } from './sqlite-changes.ts';
import { SqliteConnection, sqliteKysely, SqliteTransactionConnection } from './sqlite-kysely.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import { StoredForms } from './stored-forms.ts';

/**
 * The part of the file that each connection keeps in memory. Transactions that share a commit change more pages than
 * SQLite keeps by default, and it would write and read them again; a search reads more, from all over the file.
 */
const CACHE_KIB = 16_384;

/**
 * After how many pages the log of changes, here 16 MiB, is copied to the file. Many of them are changed again and again, and
 * are copied once.
 */
const CHECKPOINT_PAGES = 4_096;

/** Options of a database file. */
export interface SqliteOptions {
  /** Logs the errors of listeners to changes. */
  readonly log?: Logger | undefined;
  readonly migrations: Migrations;
  /** The tables that the migrations make. */
  readonly tables: TableList;
}

/**
 * The embedded engine: one file, brought to the newest schema. Several processes may have it open. Throws if the file
 * cannot be opened or written to, is not a database, or was made by an earlier or a newer Hearth.
 */
export async function sqliteEngine(
  path: string,
  { log, migrations, tables }: SqliteOptions,
): Promise<Database> {
  refuseUnwritable(path);
  await using opened = new AsyncDisposableStack();
  const connect = async (pragmas: readonly string[]) =>
    opened.adopt(await openConnection(path, pragmas), (file) => file.close());
  // The code that runs transactions waits for other processes itself, because SQLite would block this process.
  const writing = await connect([
    'journal_mode = wal',
    'synchronous = full',
    'busy_timeout = 0',
    `cache_size = -${CACHE_KIB}`,
    `wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
  ]);
  await bringUpToDate(writing, migrations);
  // Undoing one statement or savepoint needs a copy of each page that it changes. These copies would go to a file of their own for each
  // transaction. It comes after the migrations, which may sort a whole table.
  writing.exec('pragma temp_store = memory');
  // Reads have their own connection, because they do not wait for transactions.
  const reading = await connect(['query_only = on', `cache_size = -${CACHE_KIB}`]);
  const owned = opened.move();
  const kysely = sqliteKysely();
  const listeners = new ChangeListeners(log);
  const changes = new SqliteChanges(reading, listeners);
  const forms = new StoredForms(tables);
  const readConnection = new SqliteConnection(reading, forms);
  const onCommit = () => changes.hear();
  const writer = new SqliteWriter({ file: writing, kysely, forms, onCommit });
  return {
    reader: kysely.reader((consumer) => consumer(readConnection)),
    transaction: writer.transaction,
    atOnce: 1,
    onChange: (listener) => listeners.add(listener),
    hearChanges: () => changes.hear(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Keeps others from writing to the file until disposed. They can still read it. Throws if others write for 5 s. */
export async function lockWrites(path: string): Promise<Disposable> {
  const file = await openConnection(path, ['busy_timeout = 0']);
  try {
    await beginImmediate(file);
    return { [Symbol.dispose]: () => file.close() };
  } catch (error) {
    file.close();
    throw error;
  }
}

async function openConnection(path: string, pragmas: readonly string[]): Promise<SqliteFile> {
  const file = openSqlite(path);
  try {
    file.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    file.exec('pragma foreign_keys = on');
    // SQLite does not make two connections wait for each other if both change the journal mode at the same time.
    for (const pragma of pragmas) await untilUnlocked(async () => file.exec(`pragma ${pragma}`));
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

// All migrations run in one transaction, so that neither a kill nor another process comes between them. The transaction
// also checks that the file can be written to, which SQLite would not report before the first write.
async function bringUpToDate(file: SqliteFile, migrations: Migrations): Promise<void> {
  await beginImmediate(file);
  const connection = new SqliteTransactionConnection(file);
  try {
    if (!isUpToDate(migrations, appliedMigrations(file))) {
      await runMigrations(sqliteKysely().writer(connection), migrations);
    }
    file.exec('delete from changes where false');
    file.exec('commit');
  } catch (error) {
    rollBack(file);
    throw error;
  } finally {
    connection.end();
  }
}

function appliedMigrations(file: SqliteFile): readonly string[] {
  const tables = file.prepare(`select 1 from sqlite_schema where name = '${MIGRATION_TABLE}'`);
  if (tables.all([]).length === 0) return [];
  // Guarantee: Kysely's migrator has made the table.
  const rows = file.prepare(`select name from ${MIGRATION_TABLE}`).all([]) as { name: string }[];
  return rows.map(({ name }) => name);
}

// SQLite would open the file for reading, and create files next to it that stay read-only.
function refuseUnwritable(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
