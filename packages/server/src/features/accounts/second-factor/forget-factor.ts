import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { updateUser } from '../users/users.ts';
import { deleteFactor } from './store.ts';

/** Removes the second factor of an account and its recovery codes; false if there is none. */
export async function forgetFactor(tx: Transaction, userId: Id): Promise<boolean> {
  const hadOne = await deleteFactor(tx.sql, userId);
  if (hadOne) await updateUser(tx.sql, userId, { totp_since_ms: 0 });
  return hadOne;
}
