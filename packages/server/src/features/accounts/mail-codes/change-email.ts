import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { folded } from '../../../lib/skeleton.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { ofTakenAddresses, type KeepsGuesses } from '../../platform/guesses/guesses.ts';
import {
  emailTaken,
  findAccount,
  updateEmail,
  updateUser,
  type UsersTable,
} from '../users/users.ts';
import { addEmailCode } from './add-email-code.ts';
import { requireCodesLeft } from './code-limits.ts';
import { notifyOldAddress } from './notify-old-address.ts';
import { voidMailCodes } from './store.ts';

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
