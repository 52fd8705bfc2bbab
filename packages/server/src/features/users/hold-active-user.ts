import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { lockUser, type StoredUser } from './store.ts';

/** What an account is called. */
export type UserNames = Pick<StoredUser, 'username' | 'displayName'>;

/** Locks an account until the transaction ends; undefined if it cannot be used. */
export async function holdActiveUser({ sql }: Transaction, id: Id): Promise<UserNames | undefined> {
  const user = await lockUser(sql, id);
  return user?.state === 'active' ? user : undefined;
}

/** The same for an account that may be disabled or deleted. Rejects if there is none with this id. */
export async function holdUser({ sql }: Transaction, id: Id): Promise<UserNames> {
  const user = await lockUser(sql, id);
  if (user === undefined) throw new Error('the account is not there');
  return user;
}
