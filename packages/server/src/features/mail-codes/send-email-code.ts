import { ConflictError } from '@hearth/protocol';
import type { User } from '../../actor.ts';
import type { AccountContext } from '../users/account-context.ts';
import { addJob } from '../jobs/add-job.ts';
import { findOwnAccount } from '../users/require-own-password.ts';
import { requireCodesLeft, requireMailer } from './code-limits.ts';
import { MAIL_CODE_JOB } from './mail-code-job.ts';

/**
 * Sends a code that verifies the address of the person who acts: the one that replaces theirs, if there is one. Throws
 * ForbiddenError, ConflictError if it is verified, and RateLimitedError.
 */
export async function sendEmailCode(
  ctx: AccountContext,
  actor: User,
): Promise<Record<never, never>> {
  requireMailer(ctx);
  const account = await findOwnAccount(ctx, actor);
  if (account.email === '' || (account.isEmailVerified && account.pendingEmail === '')) {
    throw new ConflictError({
      code: 'verified',
      field_name: 'email',
      error: 'is verified already',
    });
  }
  await requireCodesLeft(ctx, account.id);
  const nowMs = ctx.clock.unixMs();
  const payload = { purpose: 'verify', account: { id: account.id }, asked_at_ms: nowMs } as const;
  await ctx.database.transaction((tx) => addJob(tx, MAIL_CODE_JOB, { payload, nowMs }));
  return {};
}
