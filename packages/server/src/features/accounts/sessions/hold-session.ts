import { UnauthorizedError } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { lockSession } from './store.ts';

/**
 * Keeps the session of a user until the transaction ends, for what takes so long that the session may have ended since the
 * token was checked. Throws UnauthorizedError if it has.
 */
export async function holdSession(
  { sql }: Transaction,
  { user_id: userId, credential }: Account,
): Promise<void> {
  if (!(await lockSession(sql, credential.id, userId))) throw new UnauthorizedError('token_ended');
}
