import type { AccountContext } from './account-context.ts';
import type { Account } from './find-account.ts';
import { replacePasswordHash } from './store.ts';

/**
 * Whether an account has this password. Without an account it has not, after the same work. A hash with other parameters is
 * replaced.
 */
export async function isOwnPassword(
  { database, passwords }: Pick<AccountContext, 'database' | 'passwords'>,
  account: Account | undefined,
  password: string,
): Promise<boolean> {
  const { isRight, renewed } = await passwords.compare(password, account?.passwordHash);
  if (isRight && renewed !== undefined && account?.state === 'active') {
    const { id, passwordHash: from } = account;
    await database.transaction(({ sql }) => replacePasswordHash(sql, { id, from, to: renewed }));
  }
  return isRight;
}
