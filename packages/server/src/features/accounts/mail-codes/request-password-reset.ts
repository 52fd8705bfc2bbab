import type { PasswordResetRequest } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { addJob } from '../../platform/jobs/jobs.ts';
import { requireMailer } from './code-limits.ts';
import { MAIL_CODE_JOB } from './mail-code-job.ts';

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
