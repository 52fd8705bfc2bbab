import type { Context } from '../../../context.ts';
import type { StoredUser } from './store.ts';
import type { KeepsPasswords } from './passwords.ts';
import { replacePasswordHash } from './store.ts';

/**
 * The hash that an account has if this is its password, for a transaction that has to know whether that still holds; otherwise
 * undefined. Without an account it is wrong, after the same work. A hash with other parameters is replaced.
 */
export async function checkPassword(
  { database, passwords }: Pick<Context, 'database'> & KeepsPasswords,
  account: StoredUser | undefined,
  password: string,
): Promise<string | undefined> {
  const { isRight, renewed } = await passwords.compare(password, account?.passwordHash);
  if (!isRight || account === undefined) return undefined;
  const { id, state, passwordHash: from } = account;
  if (renewed === undefined || state !== 'active') return from;
  await database.transaction(({ sql }) => replacePasswordHash(sql, { id, from, to: renewed }));
  return renewed;
}
