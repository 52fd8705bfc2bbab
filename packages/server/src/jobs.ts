import type { Context } from './context.ts';
import { sweepGuesses } from './features/guesses/sweep-guesses.ts';
import type { JobKind } from './features/jobs/job-kind.ts';
import { sweepFailedJobs } from './features/jobs/sweep-failed-jobs.ts';
import { mailCodeJob } from './features/mail-codes/mail-code-job.ts';
import { sweepMailCodes } from './features/mail-codes/sweep-mail-codes.ts';
import { mailJob } from './features/mail/mail-job.ts';

/** Everything that the instance does in the background, by the features that do it. */
export function jobKinds(ctx: Context): readonly JobKind[] {
  const { mailer } = ctx;
  return [
    sweepFailedJobs(ctx),
    sweepGuesses(ctx),
    sweepMailCodes(ctx),
    ...(mailer === undefined ? [] : [mailJob(mailer), mailCodeJob(ctx, mailer)]),
  ];
}
