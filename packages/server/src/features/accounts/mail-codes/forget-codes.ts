import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { voidMailCodes } from './store.ts';

/** Makes the codes that were sent to a person worthless. */
export async function forgetMailCodes(tx: Transaction, userId: Id): Promise<void> {
  await voidMailCodes(tx.sql, userId);
}
