import type { Context } from '../../../context.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { DAY_MS } from '../../../lib/clock.ts';
import { deletePastMakers } from './registrations-store.ts';
import { deletePast } from './store.ts';

/** Forgets invites that could not be used for a day: until then, those who joined are answered the same again. */
export function sweepCommunityInvites({
  database,
  clock,
}: Pick<Context, 'database' | 'clock'>): JobKind {
  return {
    name: 'sweep-community-invites',
    parse: () => undefined,
    everyMs: DAY_MS,
    async run() {
      const beforeMs = clock.unixMs() - DAY_MS;
      await database.transaction(({ sql }) => deletePast(sql, beforeMs));
      await database.transaction(({ sql }) => deletePastMakers(sql, beforeMs));
    },
  };
}
