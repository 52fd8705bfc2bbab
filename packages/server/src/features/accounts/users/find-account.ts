import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { folded } from '../../../lib/skeleton.ts';
import type { Reader, Transaction } from '../../../ports/database/database.ts';
import { holdUser, lockUser, selectUser, selectUserBy, type StoredUser } from './store.ts';

export type AccountKey =
  | { readonly id: string }
  | { readonly email: string }
  | { readonly username: string };

/** The account with this id, or the one that is not deleted with this address or name, in any case. */
export function findAccount(
  { database }: Pick<Context, 'database'>,
  key: AccountKey,
): Promise<StoredUser | undefined> {
  // Guarantee: an id that is none finds nothing.
  if ('id' in key) return selectUser(database.reader, key.id as Id);
  return selectUserBy(
    database.reader,
    'email' in key
      ? { emailKey: folded(key.email) }
      : { username: key.username.trim().toLowerCase() },
  );
}

/** An account as a transaction finds it, without locking it; undefined if there is none. */
export function readAccount(db: Reader, id: Id): Promise<StoredUser | undefined> {
  return selectUser(db, id);
}

/** An account that others may refer to while the transaction changes it, but not its address; undefined if there is none. */
export function holdAnyAccount({ sql }: Transaction, id: Id): Promise<StoredUser | undefined> {
  return holdUser(sql, id);
}

/** An account, which no other transaction changes until the end of this one; undefined if there is none. */
export function lockAnyAccount({ sql }: Transaction, id: Id): Promise<StoredUser | undefined> {
  return lockUser(sql, id);
}

/** The same. Throws Error if there is none. */
export async function lockAccount(tx: Transaction, id: Id): Promise<StoredUser> {
  const account = await lockAnyAccount(tx, id);
  if (account === undefined) throw new Error('the account is not there');
  return account;
}
