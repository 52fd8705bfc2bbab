import { UnauthorizedError, ValidationError } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Account } from '../../../actor.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { ofSession, type KeepsGuesses } from '../../platform/guesses/guesses.ts';
import type { UsersTable } from './tables.ts';
import type { KeepsPasswords } from './passwords.ts';
import { replacePasswordHash } from './store.ts';
import { findAccount, lockAccount } from './find-account.ts';

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

/**
 * The account of the person who acts, who has to know its password. Throws ValidationError for `current_password`, and
 * RateLimitedError if a session has been wrong too often.
 */
export async function requireOwnPassword(
  ctx: Pick<Context, 'database'> & KeepsGuesses & KeepsPasswords,
  actor: Account,
  currentPassword: string,
): Promise<UsersTable> {
  const account = await findOwnAccount(ctx, actor);
  return await ctx.guesses.attempt([ofSession(actor.credential.id)], async () => {
    const { isRight } = await ctx.passwords.compare(currentPassword, account.password_hash);
    if (isRight) return { state: 'right', result: account };
    return { state: 'wrong', error: new ValidationError('current_password', 'is wrong') };
  });
}

/**
 * The account as it is now, which no other transaction changes until the end of this one. Throws UnauthorizedError if it has
 * been deleted or disabled since its password was proved, and ValidationError for `current_password` if that is another one now.
 */
export async function lockProved(tx: Transaction, proved: UsersTable): Promise<UsersTable> {
  const account = await lockAccount(tx, proved.id);
  if (account.state !== 'active') throw new UnauthorizedError('token_ended');
  if (account.password_hash === proved.password_hash) return account;
  throw new ValidationError('current_password', 'is wrong');
}

/** The account of the person who acts. Throws UnauthorizedError if it has been deleted meanwhile. */
export async function findOwnAccount(
  ctx: Pick<Context, 'database'>,
  { user_id: id }: Account,
): Promise<UsersTable> {
  const account = await findAccount(ctx, { id });
  if (account?.state !== 'active') throw new UnauthorizedError('token_ended');
  return account;
}
