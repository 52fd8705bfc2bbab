import type { Id } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { EraseContent } from '../erasure/eraser.ts';
import { addPoints } from '../points/add-points.ts';
import { findPointedCommunities } from '../points/find-points.ts';
import {
  forgetGiven,
  selectGiving,
  selectVotesAfter,
  takeVote,
  type VoteKey,
} from '../votes/store.ts';
import { lockVoted, updateVotes } from './voted-store.ts';
import { withVote, type VotedPlace } from '../votes/voted.ts';

/** How many votes are looked up at a time. */
const VOTES_AT_ONCE = 100;

/** The same for votes of others: no index has them in the order in which they are read, so that each time all are sorted. */
const GIVING_AT_ONCE = 5_000;

/** Takes back each vote of a deleted account, and the points that it gave, and forgets what the votes of others gave it. */
export const eraseVotes: EraseContent = async (ctx, { userId, signal }) => {
  let last: Id | undefined;
  do {
    const range = { after: last, limit: VOTES_AT_ONCE };
    const votes = await selectVotesAfter(ctx.database.reader, userId, range);
    for (const vote of votes) {
      signal.throwIfAborted();
      await takeBack(ctx, userId, vote);
    }
    last = votes.at(-1)?.id;
  } while (last !== undefined);
  for (const communityId of await findPointedCommunities(ctx.database.reader, userId)) {
    await forgetIn(ctx, { communityId, authorId: userId, signal });
  }
};

/** Forgets what votes gave somebody in a community. */
async function forgetIn(
  { database }: Pick<Context, 'database'>,
  {
    communityId,
    authorId,
    signal,
  }: { readonly communityId: Id; readonly authorId: Id; readonly signal: AbortSignal },
): Promise<void> {
  let after: VoteKey | undefined;
  do {
    const range = { after, limit: GIVING_AT_ONCE };
    const votes = await selectGiving(database.reader, { communityId, authorId }, range);
    for (let from = 0; from < votes.length; from += VOTES_AT_ONCE) {
      signal.throwIfAborted();
      const some = votes.slice(from, from + VOTES_AT_ONCE);
      await database.transaction((tx) => forgetGiven(tx, some));
    }
    after = votes.at(-1);
  } while (after !== undefined);
}

async function takeBack(
  ctx: Pick<Context, 'database'>,
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
      await updateVotes(tx, [{ voted, votes }]);
    }
    await addPoints(tx, { communityId, userId: authorId, points: -vote.points });
  });
}
