import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Reader } from '../../../ports/database/database.ts';
import type { EraseContent } from '../../accounts/erasure/erasure.ts';
import { findPointedCommunities } from '../points/points.ts';
import { forgetAllGiven, takeBackVote, votesOf, withVote } from '../votes/votes.ts';
import { VOTED_KINDS, VOTED_STORES } from './voted-stores.ts';

/** The number of votes that are looked up at a time. */
const VOTES_AT_ONCE = 100;

/** Takes back each vote of a deleted account, and the points that it gave, and forgets what the votes of others gave it. */
export const eraseVotes: EraseContent = async (ctx, { userId, signal }) => {
  for await (const vote of votesOf(ctx, userId, { atOnce: VOTES_AT_ONCE })) {
    signal.throwIfAborted();
    await takeBack(ctx, userId, vote);
  }
  for (const communityId of await findPointedCommunities(ctx.database.reader, userId)) {
    await forgetAllGiven(ctx, { communityId, authorId: userId, signal, thereOf });
  }
};

/** Votes for posts and comments that still exist. */
async function thereOf(db: Reader, ids: readonly Id[]): Promise<ReadonlySet<Id>> {
  const there = new Set<Id>();
  for (const kind of VOTED_KINDS) {
    for (const id of (await VOTED_STORES[kind].selectTotals(db, ids)).keys()) there.add(id);
  }
  return there;
}

async function takeBack(
  { database }: Pick<Context, 'database'>,
  userId: Id,
  vote: Parameters<typeof takeBackVote>[1] & { readonly kind: 'post' | 'comment' },
): Promise<void> {
  await database.transaction(async (tx) => {
    const [voted] = await VOTED_STORES[vote.kind].lock(tx, [vote.id]);
    const former = await takeBackVote(tx, vote, userId);
    if (former === undefined || voted === undefined) return;
    const { upvotes, downvotes } = voted;
    const votes = withVote({ upvotes, downvotes }, { from: former.value, to: 0 });
    await VOTED_STORES[vote.kind].update(tx, [{ voted, votes }]);
  });
}
