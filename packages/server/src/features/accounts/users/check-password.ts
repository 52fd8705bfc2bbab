import type { Context } from '../../../context.ts';
import type { UsersTable } from './tables.ts';
import type { KeepsPasswords } from './passwords.ts';
import { replacePasswordHash } from './store.ts';

/**
 * The hash that an account has if this is its password, for a transaction that has to know whether that still holds; otherwise
 * undefined. Without an account it is wrong, after the same work. A hash with other parameters is replaced.
 */
export async function checkPassword(
  { database, passwords }: Pick<Context, 'database'> & KeepsPasswords,
  account: UsersTable | undefined,
  password: string,
): Promise<string | undefined> {
  const { isRight, renewed } = await passwords.compare(password, account?.password_hash);
  if (!isRight || account === undefined) return undefined;
  const { id, state, password_hash: from } = account;
  if (renewed === undefined || state !== 'active') return from;
  await database.transaction(({ sql }) => replacePasswordHash(sql, { id, from, to: renewed }));
  return renewed;
}
