import { join } from 'node:path';
import type { Database } from '../../src/ports/database/database.ts';
import { sqliteDatabase } from '../../src/ports/database/sqlite.ts';
import { tempFolder } from './temp-folder.ts';

/** A real database in a folder of its own, whose quiet transactions and readings a test can hold back or refuse. */
export interface HistoryDatabase extends Database {
  readonly path: string;
  /** Quiet transactions that were asked for. */
  readonly begun: number;
  /** Runs before each of them, which rejects where this does. */
  setBefore(before: () => Promise<void>): void;
  /** Runs before each reading. */
  setBeforeReading(before: () => Promise<void>): void;
}

/** Makes an empty one. */
export async function historyDatabase(): Promise<HistoryDatabase> {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(await tempFolder());
  const path = join(folder.path, 'hearth.sqlite');
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
    async reader() {
      await beforeReading();
      return database.reader();
    },
    async quietTransaction(work) {
      begun += 1;
      await before();
      return database.quietTransaction(work);
    },
    async quietly(statements) {
      begun += 1;
      await before();
      return database.quietly(statements);
    },
    async tryQuietTransaction(work) {
      begun += 1;
      await before();
      return database.tryQuietTransaction(work);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
