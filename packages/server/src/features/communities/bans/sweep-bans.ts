import type { Context } from '../../../context.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { deleteExpired } from '../structure/structure.ts';

const HOUR_MS = 3_600_000;

/** Forgets bans that have expired, once an hour. */
export function sweepBans({ database, clock }: Pick<Context, 'database' | 'clock'>): JobKind {
  return {
    name: 'sweep-community-bans',
    parse: () => undefined,
    everyMs: HOUR_MS,
    async run() {
      await database.transaction(({ sql }) => deleteExpired(sql, clock.unixMs()));
    },
  };
}
