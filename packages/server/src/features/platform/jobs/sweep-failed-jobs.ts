import type { Context } from '../../../context.ts';
import type { JobKind } from './job-kind.ts';
import { deleteFailedJobs } from './store.ts';

const DAY_MS = 86_400_000;
const KEPT_MS = 30 * DAY_MS;

/** Forgets jobs that failed 30 days ago, once a day. */
export function sweepFailedJobs({ database, clock }: Pick<Context, 'database' | 'clock'>): JobKind {
  return {
    name: 'sweep-failed-jobs',
    parse: () => undefined,
    everyMs: DAY_MS,
    async run() {
      await database.transaction(({ sql }) => deleteFailedJobs(sql, clock.unixMs() - KEPT_MS));
    },
  };
}
