import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { folded } from '../../../lib/skeleton.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { ofTakenAddresses, type KeepsGuesses } from '../../platform/guesses/guesses.ts';
import { addNotice, addNoticeToAnyAddress, type Notice } from '../../platform/mail/mail.ts';
import {
  emailTaken,
  findAccount,
  updateEmail,
  updateUser,
  type UsersTable,
} from '../users/users.ts';
import { addEmailCode } from './request-codes.ts';
import { requireCodesLeft, MOST_CODES } from './code-limits.ts';
import { voidMailCodes, insertMailCode, selectCodeTimes } from './store.ts';

/**
 * Throws ConflictError if another account has an address, and RateLimitedError after some such errors, so that nobody finds
 * out which addresses have accounts, and if the person has got as many codes as they may in an hour, so that nobody sends
 * mail to many strangers.
 */
export async function requireFreeEmail(
  ctx: Context & KeepsGuesses,
  { user_id: id }: Account,
  email: string,
): Promise<void> {
  const isNew = await ctx.guesses.attempt<boolean>([ofTakenAddresses(id)], async () => {
    const other = await findAccount(ctx, { email });
    if (other !== undefined && other.id !== id) return { state: 'wrong', error: emailTaken() };
    return { state: 'right', result: other === undefined };
  });
  if (isNew && ctx.mailer !== undefined) await requireCodesLeft(ctx, id);
}

/**
 * Changes the address of an account. If the instance sends mail, the new one replaces the old one once it is verified, so
 * that a typing error locks nobody out and no stranger's address is used; both get a mail. Otherwise it does so at once.
 * Throws ConflictError.
 */
export async function changeEmail(
  tx: Transaction,
  ctx: Pick<Context, 'clock' | 'settings' | 'mailer'>,
  { account, email }: { readonly account: UsersTable; readonly email: string },
): Promise<void> {
  const { id } = account;
  const nowMs = ctx.clock.unixMs();
  await voidMailCodes(tx.sql, id, 'verify');
  const isSame = folded(email) === folded(account.email);
  if (isSame || ctx.mailer === undefined) {
    const verifiedAtMs = isSame && account.email_verified_at_ms > 0 ? nowMs : 0;
    if (!(await updateEmail(tx.sql, id, { email, verifiedAtMs }))) throw emailTaken();
    return;
  }
  await updateUser(tx.sql, id, { pending_email: email });
  await addEmailCode(tx, ctx, { id });
  await notifyOldAddress(tx, ctx, { account, notice: { kind: 'emailChanging', email } });
}

/**
 * Lets a person know at the address of their account, which is locked, that another one replaces it. An address that was
 * never verified is notified too, because somebody who has taken over the account could otherwise move it unnoticed; as it may be a
 * stranger's, it gets as many of these mails in an hour as codes.
 */
export async function notifyOldAddress(
  tx: Transaction,
  ctx: Pick<Context, 'mailer' | 'settings' | 'clock'>,
  { account, notice }: { readonly account: UsersTable; readonly notice: Notice },
): Promise<void> {
  if (account.email_verified_at_ms > 0) return addNotice(tx, ctx, { person: account, notice });
  const nowMs = ctx.clock.unixMs();
  const key = { user_id: account.id, purpose: 'notice' } as const;
  const times = await selectCodeTimes(tx.sql, key, nowMs);
  if (times.length >= MOST_CODES) return;
  // No code has such a hash: the row only counts.
  await insertMailCode(tx.sql, {
    ...key,
    code_hash: `notice ${crypto.randomUUID()}`,
    email_key: '',
    created_at_ms: nowMs,
  });
  await addNoticeToAnyAddress(tx, ctx, { person: account, notice });
}
