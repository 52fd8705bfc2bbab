import { UnauthorizedError, type SignIn } from '@hearth/protocol';
import { folded } from '../../lib/skeleton.ts';
import type { AccountContext } from './account-context.ts';
import { replacePasswordHash, selectUserBy, type StoredUser } from './store.ts';

/**
 * The account with this name or address and this password. Throws UnauthorizedError: the same one, after the same work, if
 * there is no such account, if the password is wrong, and if the account may not sign in.
 */
export async function requirePassword(
  { database, passwords }: Pick<AccountContext, 'database' | 'passwords'>,
  { username, email, password }: Pick<SignIn, 'username' | 'email' | 'password'>,
): Promise<StoredUser> {
  const key =
    username === undefined
      ? { emailKey: folded(email ?? '') }
      : { username: username.trim().toLowerCase() };
  const user = await selectUserBy(database.reader, key);
  const { isRight, renewed } = await passwords.compare(password, user?.passwordHash);
  if (!isRight || user?.state !== 'active') throw new UnauthorizedError('credentials_wrong');
  if (renewed !== undefined) {
    const { id, passwordHash: from } = user;
    await database.transaction(({ sql }) => replacePasswordHash(sql, { id, from, to: renewed }));
  }
  return user;
}
