import type { Id } from '@hearth/protocol';
import type { Reader, Transaction } from '../../../ports/database/database.ts';
import { deleteRequest, selectAnswer } from './store.ts';

/** What somebody answered who waits for approval. */
export function findAnswer(db: Reader, userId: Id): Promise<string | undefined> {
  return selectAnswer(db, userId);
}

/** Forgets what somebody answered. */
export async function forgetRequest(tx: Transaction, userId: Id): Promise<void> {
  await deleteRequest(tx.sql, userId);
}
