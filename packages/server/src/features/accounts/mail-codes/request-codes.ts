import { ConflictError, type PasswordResetRequest, type Id } from '@hearth/protocol';
import type { Account, Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { addJob } from '../../platform/jobs/jobs.ts';
import { findOwnAccount } from '../users/users.ts';
import { requireCodesLeft, requireMailer } from './code-limits.ts';
import { MAIL_CODE_JOB } from './mail-code-job.ts';

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

/**
 * Sends a code for a new password to an address, if an account has it. Whether one does is found out by a job, so that
 * neither the answer nor its time says so. Throws ForbiddenError if the instance sends no mail.
 */
export async function requestPasswordReset(
  ctx: Context,
  _actor: Actor,
  { email }: PasswordResetRequest,
): Promise<Record<never, never>> {
  requireMailer(ctx);
  const nowMs = ctx.clock.unixMs();
  const payload = { purpose: 'reset', account: { email }, asked_at_ms: nowMs } as const;
  await ctx.database.transaction((tx) => addJob(tx, MAIL_CODE_JOB, { payload, nowMs }));
  return {};
}

/**
 * Sends a code that verifies the address of an account, once the transaction is committed, if the instance sends mail. The mail
 * says if the account has been approved.
 */
export async function addEmailCode(
  tx: Transaction,
  { mailer, clock }: Pick<Context, 'mailer' | 'clock'>,
  { id, isApproved = false }: { readonly id: Id; readonly isApproved?: boolean },
): Promise<void> {
  if (mailer === undefined) return;
  const nowMs = clock.unixMs();
  const payload = {
    purpose: 'verify',
    account: { id },
    asked_at_ms: nowMs,
    ...(isApproved && { is_approved: true }),
  } as const;
  await addJob(tx, MAIL_CODE_JOB, { payload, nowMs });
}
