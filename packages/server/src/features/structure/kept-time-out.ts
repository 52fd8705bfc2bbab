import type { Reader, Transaction } from '../../ports/database/database.ts';
import { selectTimedOut, selectTimeOut, type KeptTimeOut } from './time-outs-store.ts';

/** The end of the time-out of somebody who has left; 0 if there is none. */
export function readKeptTimeOut(db: Reader, key: Omit<KeptTimeOut, 'untilMs'>): Promise<number> {
  return selectTimeOut(db, key);
}

/** Those of several people whose time-out goes on after they have left, as a transaction finds it. */
export function readTimedOut(
  tx: Transaction,
  people: readonly Omit<KeptTimeOut, 'untilMs'>[],
  nowMs: number,
): Promise<readonly Omit<KeptTimeOut, 'untilMs'>[]> {
  return selectTimedOut(tx, people, nowMs);
}
