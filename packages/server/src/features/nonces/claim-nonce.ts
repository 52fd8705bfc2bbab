import type { Id } from '@hearth/protocol';
import type { Reader, Transaction } from '../../ports/database/database.ts';
import { insertNonce, selectResult, updateResult } from './store.ts';
import { forgottenAtMs, type UsedNonce } from './used-nonce.ts';

/**
 * Remembers a nonce in the transaction that creates something with it. Returns `resultId`, or what the nonce created before:
 * then the transaction must create nothing. Of several transactions at once, one gets its own `resultId`; the others wait
 * for it to end.
 */
export async function claimNonce(tx: Transaction, used: UsedNonce): Promise<Id> {
  if (await insertNonce(tx, used, forgottenAtMs(used.usedAtMs))) return used.resultId;
  const earlier = await findResult(tx.sql, used);
  if (earlier === undefined) throw new Error('a nonce was used and is not known');
  return earlier;
}

/** What a nonce created, if it is remembered at `usedAtMs`. */
export function findResult(db: Reader, used: Omit<UsedNonce, 'resultId'>): Promise<Id | undefined> {
  return selectResult(db, used, forgottenAtMs(used.usedAtMs));
}

/** Replaces what a nonce creates, in the transaction that has claimed it. */
export async function correctNonce({ sql }: Transaction, used: UsedNonce): Promise<void> {
  await updateResult(sql, used);
}
