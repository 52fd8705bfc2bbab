import { join } from 'node:path';
import type { Database } from '../../../server/src/ports/database/database.ts';
import { sqliteDatabase } from '../../../server/src/engines/databases.ts';
import { readerBefore } from '../ports/reader-before.ts';
import { writeMigratedSqlite } from '../servers/migrated-sqlite.ts';
import { tempFolder } from '../temp-folder.ts';

/** A real database in its own folder. A test can delay or refuse its transactions and queries. */
export interface HistoryDatabase extends Database {
  readonly path: string;
  /** The number of transactions that were requested. */
  readonly begun: number;
  /** Runs before each transaction, which rejects if this rejects. */
  setBefore(before: () => Promise<void>): void;
  /** Runs before each query. */
  setBeforeReading(before: () => Promise<void>): void;
}

/** Makes an empty database. */
export async function historyDatabase(): Promise<HistoryDatabase> {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(await tempFolder());
  const path = join(folder.path, 'hearth.sqlite');
  await writeMigratedSqlite(path);
  const database = resources.use(await sqliteDatabase(path));
  const owned = resources.move();
  let begun = 0;
  let before = async () => {};
  let beforeReading = async () => {};
  return {
    ...database,
    path,
    get begun() {
      return begun;
    },
    setBefore(given) {
      before = given;
    },
    setBeforeReading(given) {
      beforeReading = given;
    },
    reader: readerBefore(database.reader, () => beforeReading()),
    async transaction(work, options) {
      begun += 1;
      await before();
      return database.transaction(work, options);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
