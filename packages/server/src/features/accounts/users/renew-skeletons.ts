import type { Context } from '../../../context.ts';
import { skeletonOf } from '../../../lib/skeleton.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import {
  markRenewed,
  renewSkeleton,
  selectOutdatedNames,
  type OutdatedName,
} from './names/store.ts';
import { DAY_MS } from '../../../lib/clock.ts';

/** Names of one transaction, so that nobody who registers waits for long. */
const NAMES_AT_ONCE = 500;

/** Recomputes the skeletons of names that were made by older rules. */
export function renewSkeletons({ database }: Pick<Context, 'database'>): JobKind {
  return {
    name: 'renew-skeletons',
    parse: () => undefined,
    mostAttempts: 10,
    everyMs: DAY_MS,
    async run(_payload, { signal }) {
      for (let after = ''; ;) {
        signal.throwIfAborted();
        const names = await selectOutdatedNames(database.reader, { after, limit: NAMES_AT_ONCE });
        const last = names.at(-1);
        if (last === undefined) return;
        await renew(database, names);
        after = last.skeleton;
      }
    },
  };
}

async function renew(
  database: Pick<Context['database'], 'transaction'>,
  names: readonly OutdatedName[],
): Promise<void> {
  const looks = await Promise.all(names.map(({ username }) => skeletonOf(username)));
  await database.transaction(async (tx) => {
    for (const [at, { skeleton: from }] of names.entries()) {
      const to = looks[at] ?? from;
      if (to !== from) await renewSkeleton(tx, { from, to });
    }
    // Also one whose look another account has already: both keep their names.
    await markRenewed(
      tx.sql,
      names.map(({ skeleton }) => skeleton),
    );
  });
}
