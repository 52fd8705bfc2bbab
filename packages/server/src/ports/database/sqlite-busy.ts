import { errorCode } from '../../lib/error-code.ts';
import type { SqliteFile } from '../../runtime/sqlite.ts';

/** How long a statement waits for another process, such as an owner's command, in milliseconds. */
export const BUSY_TIMEOUT_MS = 5_000;

const POLL_MS = 1;

/** Whether an error says that another connection has the file locked. */
export function isBusy(error: unknown): boolean {
  return errorCode(error)?.startsWith('SQLITE_BUSY') === true;
}

/** Rolls a transaction back, unless SQLite has ended it itself, as it does when the disk is full or fails. */
export function rollBack(file: SqliteFile): void {
  if (file.isInTransaction) file.change('rollback', []);
}

/** Begins a transaction that has the write lock from the start, on a connection that does not wait by itself. */
export function beginImmediate(file: SqliteFile): Promise<void> {
  return untilUnlocked(async () => {
    file.change('begin immediate', []);
  });
}

/**
 * Runs `attempt` until it finds the file unlocked, for {@link BUSY_TIMEOUT_MS} at most. Looks far more often than
 * SQLite does by itself, which hardly ever meets the moment between two transactions of a busy process, and lets
 * this process do other things meanwhile.
 */
export async function untilUnlocked<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const giveUpAtMs = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAtMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
