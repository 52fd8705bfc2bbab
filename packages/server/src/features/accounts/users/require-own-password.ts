import { UnauthorizedError, ValidationError } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { ofSession, type KeepsGuesses } from '../../platform/guesses/guesses.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { findAccount, lockAccount } from './find-account.ts';
import type { KeepsPasswords } from './passwords.ts';
import type { UsersTable } from './tables.ts';

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
