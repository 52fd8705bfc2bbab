import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { openSqlite, type SqliteFile } from '../../runtime/sqlite.ts';
import { isBusy, untilUnlocked } from './sqlite-busy.ts';

/** The files below a data folder that are there to be locked. */
export const LOCK_FILES = { folder: 'lock.sqlite', incoming: 'incoming.sqlite' } as const;

/** How long a second instance waits for the first to end, in milliseconds. */
const WAIT_MS = 2_000;

/** Held for as long as a process uses what it has claimed; the kernel ends it when the process does. */
export type DataLock = Disposable;

/** Who claims what is being written: those that write it, beside each other, or one that sweeps it up, alone. */
export type IncomingUse = 'writing' | 'sweeping';

/**
 * Claims a data folder for the one instance that runs on it. Undefined when another instance holds it after 2 s.
 * Throws when the lock file cannot be opened for writing.
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
 * Claims what is being written in a data folder, so that nobody sweeps up what another process writes. Undefined
 * when others are in the way for 5 s. Throws when the lock file cannot be opened for writing.
 */
export async function lockIncoming(
  folder: string,
  use: IncomingUse,
): Promise<DataLock | undefined> {
  const file = openLock(join(folder, LOCK_FILES.incoming));
  try {
    // A transaction that has read shares its lock with others of its kind.
    if (use === 'writing') file.exec('begin');
    const claim = use === 'writing' ? 'select count(*) from sqlite_schema' : 'begin exclusive';
    await untilUnlocked(async () => file.exec(claim));
    return lockOn(file);
  } catch (error) {
    return giveUp(file, error);
  }
}

// On a file that it may only read SQLite gives everybody an exclusive lock.
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
