import type { Kysely } from 'kysely';
import { accessSync, constants } from 'node:fs';
import { errorCode } from '../../error-code.ts';
import { loadedOnce } from '../../loaded-once.ts';
import { openSqlite, type SqliteFile } from '../../runtime/sqlite.ts';
import type { Database, Reader, Row, Statement } from './database.ts';
import { isUpToDate, MIGRATION_TABLE } from './migrations.ts';
import { beginImmediate, BUSY_TIMEOUT_MS, rollBack, untilUnlocked } from './sqlite-busy.ts';
import { REVISION_SETTING, type Tables } from './tables.ts';

/**
 * The embedded engine: one file, brought to the newest schema. Several processes may have it open.
 * Throws when the file cannot be opened or written to, is no database, or belongs to a newer Hearth.
 */
export async function sqliteDatabase(path: string): Promise<Database> {
  refuseUnwritable(path);
  await using opened = new AsyncDisposableStack();
  const connect = async (pragmas: readonly string[]) =>
    opened.adopt(await openConnection(path, pragmas), (file) => file.close());
  const writing = await connect(['journal_mode = wal', 'synchronous = full']);
  await migrate(writing);
  await refuseReadOnly(writing);
  // A connection of its own, because reads would wait for a transaction that waits for another process.
  const reading = await connect(['query_only = on']);
  // Likewise, because another transaction may be under way on that of the query builder. It waits by itself.
  const quiet = await connect(['synchronous = full', 'busy_timeout = 0']);
  const owned = opened.move();
  const reader = loadedOnce<Reader>(async () => (await queryBuilder()).readerOf(reading));
  // One for all, because it is what transactions wait for each other in.
  const writer = loadedOnce<Kysely<Tables>>(async () => (await queryBuilder()).writerOf(writing));
  const quietTransaction: Database['quietTransaction'] = async (work) =>
    (await writer()).transaction().execute(work);
  return {
    reader,
    revision: revisionOf(reading),
    rows: async (query) => rowsOf(reading, query),
    async transaction(work) {
      const { raiseRevision } = await queryBuilder();
      return (await writer()).transaction().execute(async (own) => {
        const result = await work(own);
        await raiseRevision(own);
        return result;
      });
    },
    quietTransaction,
    quietly: (statements) => untilUnlocked(async () => runTogether(quiet, statements)),
    tryQuietTransaction: quietTransaction,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Runs statements as a transaction, between which nothing else happens in this process. */
function runTogether(file: SqliteFile, statements: readonly Statement[]): readonly number[] {
  file.exec('begin immediate');
  try {
    const changed = statements.map(({ text, values }) => file.change(text, values));
    file.exec('commit');
    return changed;
  } catch (error) {
    rollBack(file);
    throw error;
  }
}

// What SQLite tells by itself, of whatever was committed, is asked for first, because it is a look into shared memory.
function revisionOf(file: SqliteFile): () => number {
  const commits = file.prepareNumber('pragma data_version');
  const revision = file.prepareNumber(
    `select coalesce(max(cast(value as integer)), 0) from settings where name = '${REVISION_SETTING}'`,
  );
  let [lastCommits, lastRevision] = [commits(), revision()];
  return () => {
    const now = commits();
    if (now !== lastCommits) [lastCommits, lastRevision] = [now, revision()];
    return lastRevision;
  };
}

function queryBuilder(): Promise<typeof import('./sqlite-query-builder.ts')> {
  return import('./sqlite-query-builder.ts');
}

async function openConnection(path: string, pragmas: readonly string[]): Promise<SqliteFile> {
  const file = openSqlite(path);
  try {
    file.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    file.exec('pragma foreign_keys = on');
    // Two that make a file's journal another one at the same time are not made to wait for each other by SQLite.
    for (const pragma of pragmas) await untilUnlocked(async () => file.exec(`pragma ${pragma}`));
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

// The migrator would look at every table and column to find out that there is nothing to do, at every start.
async function migrate(file: SqliteFile): Promise<void> {
  if (isUpToDate(appliedMigrations(file))) return;
  const { migrateToLatest } = await queryBuilder();
  await migrateToLatest(file);
}

function appliedMigrations(file: SqliteFile): readonly string[] {
  const tables = rowsOf(file, `select 1 from sqlite_schema where name = '${MIGRATION_TABLE}'`);
  if (tables.length === 0) return [];
  return rowsOf(file, `select name from ${MIGRATION_TABLE}`).map((row) => String(row['name']));
}

// SQLite would open it for reading, with files beside it that may then only be read for good.
function refuseUnwritable(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

// Whatever else keeps SQLite from writing, it would not tell before the first write.
async function refuseReadOnly(file: SqliteFile): Promise<void> {
  await beginImmediate(file);
  file.exec('delete from settings where false');
  file.exec('commit');
}

// Guarantee: SQLite gives every row as an object of its columns.
function rowsOf(file: SqliteFile, query: string): readonly Row[] {
  return file.prepare(query).all([]) as readonly Row[];
}
