import { HOUR_MS } from '../../../lib/clock.ts';
import { sweep } from '../../platform/jobs/jobs.ts';
import { deletePastTimeOuts } from '../structure/structure.ts';

/** Forgets time-outs of people who have left that are over, once an hour. */
export const sweepTimeOuts = sweep('sweep-time-outs', HOUR_MS, ({ sql }, nowMs) =>
  deletePastTimeOuts(sql, nowMs),
);
