import type { Context } from '../../context.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import { deletePast } from './store.ts';

const DAY_MS = 86_400_000;

/** Forgets invites that could not be used for a day: until then, those who joined are answered the same again. */
export function sweepCommunityInvites({
  database,
  clock,
}: Pick<Context, 'database' | 'clock'>): JobKind {
  return {
    name: 'sweep-community-invites',
    parse: () => undefined,
    atOnce: 1,
    mostAttempts: 1,
    everyMs: DAY_MS,
    async run() {
      const beforeMs = clock.unixMs() - DAY_MS;
      await database.transaction(({ sql }) => deletePast(sql, beforeMs));
    },
  };
}
