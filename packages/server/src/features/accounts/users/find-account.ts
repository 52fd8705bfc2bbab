import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { folded } from '../../../lib/skeleton.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { lockUser, selectUser, selectUserBy } from './store.ts';
import type { UsersTable } from './tables.ts';

export type AccountKey =
  | { readonly id: string }
  | { readonly email: string }
  | { readonly username: string };

/** The account with this id, or the one that is not deleted with this address or name, in any case. */
export function findAccount(
  { database }: Pick<Context, 'database'>,
  key: AccountKey,
): Promise<UsersTable | undefined> {
  // Guarantee: an id that is none finds nothing.
  if ('id' in key) return selectUser(database.reader, key.id as Id);
  return selectUserBy(
    database.reader,
    'email' in key
      ? { emailKey: folded(key.email) }
      : { username: key.username.trim().toLowerCase() },
  );
}

/** An account, which no other transaction changes until the end of this one. Throws Error if there is none. */
export async function lockAccount({ sql }: Transaction, id: Id): Promise<UsersTable> {
  const account = await lockUser(sql, id);
  if (account === undefined) throw new Error('the account is not there');
  return account;
}
