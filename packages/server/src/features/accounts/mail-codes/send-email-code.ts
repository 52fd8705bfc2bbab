import { ConflictError } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { findOwnAccount } from '../users/users.ts';
import { addEmailCode } from './add-email-code.ts';
import { requireCodesLeft, requireMailer } from './code-limits.ts';

/**
 * Sends a code that verifies the address of the person who acts: the one that replaces theirs, if there is one. Throws
 * ForbiddenError, ConflictError if it is verified, and RateLimitedError.
 */
export async function sendEmailCode(
  ctx: Pick<Context, 'database' | 'clock' | 'mailer'>,
  actor: Account,
): Promise<Record<never, never>> {
  requireMailer(ctx);
  const account = await findOwnAccount(ctx, actor);
  const isVerified = account.email_verified_at_ms > 0;
  if (account.email === '' || (isVerified && account.pending_email === '')) {
    throw new ConflictError({ code: 'verified', field_name: 'email' });
  }
  await requireCodesLeft(ctx, account.id);
  await ctx.database.transaction((tx) => addEmailCode(tx, ctx, account));
  return {};
}
