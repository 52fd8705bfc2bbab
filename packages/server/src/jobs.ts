import type { Context } from './context.ts';
import type { JobKind } from './features/jobs/job-kind.ts';
import { sweepFailedJobs } from './features/jobs/sweep-failed-jobs.ts';

/** Everything that the instance does in the background, by the features that do it. */
export function jobKinds(ctx: Context): readonly JobKind[] {
  return [sweepFailedJobs(ctx)];
}
