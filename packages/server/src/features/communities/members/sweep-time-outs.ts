import type { Context } from '../../../context.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { deletePastTimeOuts } from '../structure/structure.ts';

const HOUR_MS = 3_600_000;

/** Forgets time-outs of people who have left that are over, once an hour. */
export function sweepTimeOuts({ database, clock }: Pick<Context, 'database' | 'clock'>): JobKind {
  return {
    name: 'sweep-time-outs',
    parse: () => undefined,
    everyMs: HOUR_MS,
    async run() {
      await database.transaction(({ sql }) => deletePastTimeOuts(sql, clock.unixMs()));
    },
  };
}
