import { DAY_MS } from '../../../lib/clock.ts';
import { sweep } from '../../platform/jobs/jobs.ts';
import { deleteFreeNames } from './names/store.ts';

/** Forgets names that were given up a year ago, once a day. */
export const sweepNames = sweep('sweep-names', DAY_MS, async (tx, nowMs) => {
  for (const skeleton of await deleteFreeNames(tx.sql, nowMs)) tx.changed('names', skeleton);
});
