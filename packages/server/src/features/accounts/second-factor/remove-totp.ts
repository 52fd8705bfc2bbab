import {
  NotFoundError,
  ValidationError,
  type OwnUser,
  type TotpRemoval,
  type Id,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { ofSession, type KeepsGuesses } from '../../platform/guesses/guesses.ts';
import { addNotice } from '../../platform/mail/mail.ts';
import { recheckSessions } from '../sessions/sessions.ts';
import {
  announceOwnUser,
  describeOwnUser,
  lockAccount,
  lockProved,
  requireOwnPassword,
  updateUser,
  type KeepsPasswords,
} from '../users/users.ts';
import { useFactorCode } from './use-factor-code.ts';
import { deleteFactor } from './store.ts';

/**
 * Removes the second factor and its recovery codes. Throws ValidationError for `current_password` and `code`, NotFoundError
 * if there is none, and RateLimitedError.
 */
export async function removeTotp(
  ctx: Context & KeepsGuesses & KeepsPasswords,
  actor: Account,
  { current_password: password, code }: TotpRemoval,
): Promise<OwnUser> {
  const account = await requireOwnPassword(ctx, actor, password);
  if (account.totp_since_ms === 0) throw new NotFoundError();
  await ctx.guesses.attempt([ofSession(actor.credential.id)], async () => {
    if (await useFactorCode(ctx, account.id, code)) return { state: 'right', result: undefined };
    return { state: 'wrong', error: new ValidationError('code', 'is wrong, or has been used') };
  });
  return await ctx.database.transaction(async (tx) => {
    const person = await lockProved(tx, account);
    if (!(await forgetFactor(tx, account.id))) throw new NotFoundError();
    await recheckSessions(tx, account.id);
    await addNotice(tx, ctx, { person, notice: { kind: 'factorRemoved' } });
    const changed = await lockAccount(tx, account.id);
    await announceOwnUser(tx, ctx, changed);
    return describeOwnUser(ctx, changed);
  });
}

/** Removes the second factor of an account and its recovery codes; false if there is none. */
export async function forgetFactor(tx: Transaction, userId: Id): Promise<boolean> {
  const hadOne = await deleteFactor(tx.sql, userId);
  if (hadOne) await updateUser(tx.sql, userId, { totp_since_ms: 0 });
  return hadOne;
}
