import type { Context } from '../../../context.ts';
import type { JobKind } from '../jobs/jobs.ts';
import { REMEMBERED_MS } from './allowances.ts';
import { deleteFailuresBefore } from './store.ts';

const HOUR_MS = 3_600_000;

/** Forgets wrong guesses that no longer count, once an hour. */
export function sweepGuesses({ database, clock }: Pick<Context, 'database' | 'clock'>): JobKind {
  return {
    name: 'sweep-guesses',
    parse: () => undefined,
    everyMs: HOUR_MS,
    async run() {
      const beforeMs = clock.unixMs() - REMEMBERED_MS;
      await database.transaction(({ sql }) => deleteFailuresBefore(sql, beforeMs));
    },
  };
}
