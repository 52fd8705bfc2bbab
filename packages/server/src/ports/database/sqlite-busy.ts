import { errorCode } from '../../lib/error-code.ts';
import type { SqliteFile } from '../../runtime/sqlite.ts';

/** The time in milliseconds that a statement waits for another process, such as an owner's command. */
export const BUSY_TIMEOUT_MS = 5_000;

const POLL_MS = 1;

/** Returns whether an error says that another connection has locked the file. */
export function isBusy(error: unknown): boolean {
  return errorCode(error)?.startsWith('SQLITE_BUSY') === true;
}

/** Rolls a transaction back, unless SQLite has already ended it, as it does if the disk is full or fails. */
export function rollBack(file: SqliteFile): void {
  if (file.isInTransaction) file.change('rollback', []);
}

/** Begins a transaction with the write lock, on a connection that does not wait for locks by itself. */
export function beginImmediate(file: SqliteFile): Promise<void> {
  return untilUnlocked(async () => {
    file.change('begin immediate', []);
  });
}

/**
 * Runs `attempt` until it finds the file unlocked, for at most {@link BUSY_TIMEOUT_MS}. This process can do other
 * things meanwhile. SQLite's own wait would block it, and tries too rarely to hit the moment between two transactions
 * of a busy process.
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
