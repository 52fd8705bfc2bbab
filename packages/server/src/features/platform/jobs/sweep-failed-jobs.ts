import { DAY_MS } from '../../../lib/clock.ts';
import { sweep } from './job-kind.ts';
import { deleteFailedJobs } from './store.ts';

/** Forgets jobs that failed 30 days ago, once a day. */
export const sweepFailedJobs = sweep('sweep-failed-jobs', DAY_MS, ({ sql }, nowMs) =>
  deleteFailedJobs(sql, nowMs - 30 * DAY_MS),
);
