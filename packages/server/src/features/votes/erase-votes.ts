import type { Id } from '@hearth/protocol';
import type { CommunityContext } from '../communities/community-context.ts';
import type { EraseContent } from '../erasure/eraser.ts';
import { addPoints } from '../points/add-points.ts';
import { withVote } from './cast-vote.ts';
import { forgetGiven, selectVotesAfter, takeVote } from './store.ts';
import { lockVoted, updateVotes } from './voted-store.ts';
import type { VotedPlace } from './voted.ts';

/** How many votes are looked up at a time. */
const VOTES_AT_ONCE = 100;

/** Takes back each vote of a deleted account, and the points that it gave, and forgets what the votes of others gave it. */
export const eraseVotes: EraseContent = async (ctx, { userId, signal }) => {
  for (let isDone = false; !isDone;) {
    const range = { after: undefined, limit: VOTES_AT_ONCE };
    const votes = await selectVotesAfter(ctx.database.reader, userId, range);
    for (const vote of votes) {
      signal.throwIfAborted();
      await takeBack(ctx, userId, vote);
    }
    isDone = votes.length < VOTES_AT_ONCE;
  }
  for (let done = VOTES_AT_ONCE; done === VOTES_AT_ONCE;) {
    signal.throwIfAborted();
    done = await ctx.database.transaction(({ sql }) => forgetGiven(sql, userId, VOTES_AT_ONCE));
  }
};

async function takeBack(
  ctx: Pick<CommunityContext, 'database'>,
  userId: Id,
  {
    authorId,
    communityId,
    ...place
  }: VotedPlace & { readonly authorId: Id; readonly communityId: Id },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const voted = (await lockVoted(tx, place, userId))?.voted;
    const vote = await takeVote(tx, place.id, userId);
    if (vote === undefined) return;
    if (voted !== undefined) {
      const { upvotes, downvotes } = voted;
      const votes = withVote({ upvotes, downvotes }, { from: vote.value, to: 0 });
      await updateVotes(tx, voted, votes);
    }
    await addPoints(tx, { communityId, userId: authorId, points: -vote.points });
  });
}
