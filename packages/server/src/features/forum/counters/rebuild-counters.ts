import type { Id } from '@hearth/protocol';
import { NO_ID } from '../../../ports/database/stored-id.ts';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Writer } from '../../../ports/database/database.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { recountPoints, selectPointed, type PointsKey } from '../points/points.ts';
import { recountPoll } from '../polls/polls.ts';
import { selectGivenTo, sumGiven } from '../votes/votes.ts';
import { recountComments, recountPosts, type Recounted } from './recount.ts';

/** The number of rows that are counted again in one transaction, so that other writers never wait long. */
const ROWS_AT_ONCE = 100;

/** The numbers of counters that were wrong, and are right now. */
export interface WrongCounters {
  readonly posts: number;
  readonly comments: number;
  readonly polls: number;
  readonly points: number;
}

/**
 * Counts votes, comments, replies, choices in polls and points again, and corrects what was wrong: nothing in a sound database.
 * The instance may run meanwhile. Throws ForbiddenError.
 */
export async function rebuildCounters(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
): Promise<WrongCounters> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const limit = ROWS_AT_ONCE;
  const all = async (recount: (db: Writer, after: Id) => Promise<Recounted>) => {
    let wrong = 0;
    for (let after: Id | undefined = NO_ID; after !== undefined;) {
      const from: Id = after;
      const counted = await database.transaction(({ sql }) => recount(sql, from));
      wrong += counted.wrong;
      after = counted.last;
    }
    return wrong;
  };
  return {
    posts: await all((db, after) => recountPosts(db, { after, limit })),
    comments: await all((db, after) => recountComments(db, { after, limit })),
    polls: await all(recountPoll),
    points: await rebuildPoints(database),
  };
}

/** Before all who have points. */
const NOBODY: PointsKey = { communityId: NO_ID, userId: NO_ID };

/** People who have points according to the sums, the votes or the ledger. */
const WITH_POINTS: readonly ((
  db: Writer,
  range: { readonly after: PointsKey; readonly limit: number },
) => Promise<readonly PointsKey[]>)[] = [
  (db, range) => selectPointed(db, 'member_points', range),
  selectGivenTo,
  (db, range) => selectPointed(db, 'point_ledger', range),
];

async function rebuildPoints(database: Pick<Context['database'], 'transaction'>): Promise<number> {
  let wrong = 0;
  for (const next of WITH_POINTS) {
    for (let after: PointsKey | undefined = NOBODY; after !== undefined;) {
      const range = { after, limit: ROWS_AT_ONCE };
      const some: readonly PointsKey[] = await database.transaction(({ sql }) => next(sql, range));
      for (const key of some) {
        if (await database.transaction(({ sql }) => recountPoints(sql, key, sumGiven))) wrong += 1;
      }
      after = some.at(-1);
    }
  }
  return wrong;
}
