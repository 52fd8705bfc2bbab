import { join } from 'node:path';
import { openSqlite } from '../../runtime/sqlite.ts';
import { isBusy } from './sqlite-busy.ts';

/** How long a second instance waits for the first to end, in milliseconds. */
const WAIT_MS = 2_000;

/** Held for as long as an instance uses a data folder. */
export type DataLock = Disposable;

/**
 * Claims a data folder for this process with an exclusive transaction, which the kernel ends when the process does.
 * Undefined when another instance holds it after 2 s. Throws when the lock file cannot be opened.
 */
export function lockDataFolder(folder: string): DataLock | undefined {
  const file = openSqlite(join(folder, 'lock.sqlite'));
  try {
    file.exec(`pragma busy_timeout = ${WAIT_MS}`);
    file.exec('begin exclusive');
    return { [Symbol.dispose]: () => file.close() };
  } catch (error) {
    file.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}
