import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Reader } from '../../../ports/database/database.ts';
import type { EraseContent } from '../../accounts/erasure/erasure.ts';
import { addPoints, selectPointedCommunities } from '../points/points.ts';
import {
  forgetGiven,
  selectGiving,
  takeVote,
  votesOf,
  withVote,
  type VoteCast,
  type VoteKey,
} from '../votes/votes.ts';
import { VOTED_KINDS, VOTED_STORES } from './voted-stores.ts';

/**
 * The number of votes that gave points that are looked up at a time: no index has them in the order of reading, so that
 * each time sorts all.
 */
const GIVING_AT_ONCE = 5_000;

/** The number of these that go in one transaction. */
const FORGOTTEN_AT_ONCE = 100;

/** Takes back each vote of a deleted account, and the points that it gave, and forgets what the votes of others gave it. */
export const eraseVotes: EraseContent = async (ctx, { userId, signal }) => {
  for await (const vote of votesOf(ctx.database.reader, userId)) {
    signal.throwIfAborted();
    await takeBack(ctx, userId, vote);
  }
  for (const communityId of await selectPointedCommunities(ctx.database.reader, userId)) {
    await forgetAllGiven(ctx, { communityId, authorId: userId, signal });
  }
};

async function takeBack(
  { database }: Pick<Context, 'database'>,
  userId: Id,
  { kind, id, communityId, authorId }: VoteCast,
): Promise<void> {
  await database.transaction(async (tx) => {
    const [voted] = await VOTED_STORES[kind].lock(tx, [id]);
    const former = await takeVote(tx, id, userId);
    if (former === undefined) return;
    await addPoints(tx, { communityId, userId: authorId, points: -former.points });
    if (voted === undefined) return;
    const { upvotes, downvotes } = voted;
    const votes = withVote({ upvotes, downvotes }, { from: former.value, to: 0 });
    await VOTED_STORES[kind].update(tx, [{ voted, votes }]);
  });
}

/** Forgets what votes gave somebody in a community, and removes those for what is not there any more. */
async function forgetAllGiven(
  { database }: Pick<Context, 'database'>,
  {
    signal,
    ...given
  }: { readonly communityId: Id; readonly authorId: Id; readonly signal: AbortSignal },
): Promise<void> {
  let after: VoteKey | undefined;
  do {
    const votes = await selectGiving(database.reader, given, { after, limit: GIVING_AT_ONCE });
    for (let from = 0; from < votes.length; from += FORGOTTEN_AT_ONCE) {
      signal.throwIfAborted();
      const some = votes.slice(from, from + FORGOTTEN_AT_ONCE);
      const ids = [...new Set(some.map(({ subjectId }) => subjectId))];
      await database.transaction(async (tx) => {
        await forgetGiven(tx, some, await thereOf(tx.sql, ids));
      });
    }
    after = votes.at(-1);
  } while (after !== undefined);
}

/** Reads which of some posts and comments still exist. */
async function thereOf(db: Reader, ids: readonly Id[]): Promise<ReadonlySet<Id>> {
  const there = new Set<Id>();
  for (const kind of VOTED_KINDS) {
    for (const id of (await VOTED_STORES[kind].selectTotals(db, ids)).keys()) there.add(id);
  }
  return there;
}
