import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { openSqlite, type SqliteFile } from '../../runtime/sqlite.ts';
import { isBusy, untilUnlocked } from './sqlite-busy.ts';

/** The lock files in a data folder. */
export const LOCK_FILES = { folder: 'lock.sqlite', incoming: 'incoming.sqlite' } as const;

/** The time in milliseconds that a second instance waits until the first one ends. */
const WAIT_MS = 2_000;

/** A lock that a process holds while it uses what it has claimed. The kernel releases it when the process ends. */
export type DataLock = Disposable;

/** The use of incoming files: any number of processes write them together, or one sweeps up leftovers alone. */
export type IncomingUse = 'writing' | 'sweeping';

/**
 * Claims a data folder for the one instance that runs on it. Returns undefined if another instance still holds it after
 * 2 s. Throws if the lock file cannot be opened for writing.
 */
export function lockDataFolder(folder: string): DataLock | undefined {
  const file = openLock(join(folder, LOCK_FILES.folder));
  try {
    file.exec(`pragma busy_timeout = ${WAIT_MS}`);
    file.exec('begin exclusive');
    return lockOn(file);
  } catch (error) {
    return giveUp(file, error);
  }
}

/**
 * Claims the incoming files of a data folder, so that a sweep does not remove what another process is writing. Returns
 * undefined if others are in the way for 5 s. Throws if the lock file cannot be opened for writing.
 */
export async function lockIncoming(
  folder: string,
  use: IncomingUse,
): Promise<DataLock | undefined> {
  const file = openLock(join(folder, LOCK_FILES.incoming));
  try {
    // A transaction that has only read holds a shared lock.
    if (use === 'writing') file.exec('begin');
    const claim = use === 'writing' ? 'select count(*) from sqlite_schema' : 'begin exclusive';
    await untilUnlocked(async () => file.exec(claim));
    return lockOn(file);
  } catch (error) {
    return giveUp(file, error);
  }
}

// On a read-only file, SQLite grants an exclusive lock to everybody.
function openLock(path: string): SqliteFile {
  const file = openSqlite(path);
  try {
    accessSync(path, constants.W_OK);
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

function lockOn(file: SqliteFile): DataLock {
  return { [Symbol.dispose]: () => file.close() };
}

function giveUp(file: SqliteFile, error: unknown): undefined {
  file.close();
  if (!isBusy(error)) throw error;
}
