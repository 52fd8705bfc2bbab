import type { Transaction } from '../../ports/database/database.ts';
import { setMark, type StoredReadState } from './store.ts';

/**
 * Moves the mark of the author of a new message to it, in the transaction that stores the message and has locked the channel:
 * no mark is after it. Clients do the same when they receive the message, so nothing is sent.
 */
export async function markOwn(tx: Transaction, message: StoredReadState): Promise<void> {
  await tx.run(setMark(message));
}
