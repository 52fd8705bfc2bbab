import type { Context } from '../../../context.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { deleteFreeNames } from './names/store.ts';

const DAY_MS = 86_400_000;

/** Forgets names that were given up a year ago, once a day. */
export function sweepNames({ database, clock }: Pick<Context, 'database' | 'clock'>): JobKind {
  return {
    name: 'sweep-names',
    parse: () => undefined,
    everyMs: DAY_MS,
    async run() {
      await database.transaction(async (tx) => {
        const free = await deleteFreeNames(tx.sql, clock.unixMs());
        for (const skeleton of free) tx.changed('names', skeleton);
      });
    },
  };
}
