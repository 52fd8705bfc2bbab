import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { addJob } from '../../platform/jobs/jobs.ts';
import { MAIL_CODE_JOB } from './mail-code-job.ts';

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
