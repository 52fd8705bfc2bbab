import { MAIL_CODE_MS, ValidationError, type OwnUser } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { folded } from '../../../lib/skeleton.ts';
import { typedCodeHash } from '../../../lib/typed-code.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { ofSession, type KeepsGuesses, type Outcome } from '../../platform/guesses/guesses.ts';
import {
  announceOwnUser,
  describeOwnUser,
  emailTaken,
  lockAccount,
  updateEmail,
} from '../users/users.ts';
import { WRONG_CODE } from './code-limits.ts';
import { notifyOldAddress } from './change-email.ts';
import { voidMailCodes, takeMailCode } from './store.ts';

/**
 * Verifies the address to which a code was sent: the person's own, or the one that replaces it. Throws
 * ValidationError for `code`, ConflictError if another account has the address meanwhile, and RateLimitedError.
 */
export function redeemEmailCode(
  ctx: Context & KeepsGuesses,
  actor: Account,
  { code }: { readonly code: string },
): Promise<OwnUser> {
  return ctx.guesses.attempt([ofSession(actor.credential.id)], () =>
    ctx.database.transaction((tx) => redeem(tx, ctx, { actor, hash: typedCodeHash(code) })),
  );
}

async function redeem(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock' | 'settings' | 'mailer'>,
  { actor, hash }: { readonly actor: Account; readonly hash: string },
): Promise<Outcome<OwnUser>> {
  const nowMs = ctx.clock.unixMs();
  const account = await lockAccount(tx, actor.user_id);
  const key = { hash, purpose: 'verify', sinceMs: nowMs - MAIL_CODE_MS } as const;
  const taken = await takeMailCode(tx.sql, { ...key, userId: account.id });
  const email = [account.pending_email, account.email].find(
    (each) => each !== '' && folded(each) === taken?.email_key,
  );
  if (email === undefined) {
    return { state: 'wrong', error: new ValidationError('code', WRONG_CODE) };
  }
  if (!(await updateEmail(tx.sql, account.id, { email, verifiedAtMs: nowMs }))) throw emailTaken();
  await voidMailCodes(tx.sql, account.id);
  if (email !== account.email) {
    await notifyOldAddress(tx, ctx, { account, notice: { kind: 'emailChanged', email } });
  }
  const verified = await lockAccount(tx, account.id);
  await announceOwnUser(tx, ctx, verified);
  return { state: 'right', result: describeOwnUser(ctx, verified) };
}
