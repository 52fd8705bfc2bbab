import type { Id, VoteInput, Voted as VoteAnswer } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { AccessContext } from '../../communities/structure/structure.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import { describeTotals, type VotedPlace } from '../votes/votes.ts';
import type { KeepsScores } from './score-news.ts';
import { accessToAuthored, requireVoting } from './voting-access.ts';
import { writeVotes } from './write-votes.ts';

/** A post or comment, and how somebody votes for it. */
export interface CastInput extends VoteInput {
  readonly id: Id;
}

/**
 * Votes for a post, changes the vote, or takes it back with 0; harmless if repeated. Resolves with the totals, and with the vote
 * if there is one. Throws NotFoundError, and ForbiddenError if the caller may not vote, or not so.
 */
export const votePost = castingFor('post');

/** Votes for a comment, as {@link votePost} does for a post. */
export const voteComment = castingFor('comment');

function castingFor(kind: VotedPlace['kind']) {
  return async (
    ctx: AccessContext & KeepsScores,
    actor: Account,
    { id, value }: CastInput,
  ): Promise<VoteAnswer> => {
    await requireAdmission(ctx, actor, 'changing');
    const place = { kind, id };
    const { access, authorId } = await accessToAuthored(ctx, actor, place);
    const requires = requireVoting(ctx);
    requires(access);
    const { user_id: caller } = actor;
    const { channel } = access;
    const after = await ctx.database.write(
      writeVotes,
      { ctx, acting: { actor, access, requires }, place, value },
      { subjects: [id, caller, pointsIn(channel.communityId, authorId)], caller },
    );
    const seen = { settings: after.access.channel.postSettings, nowMs: ctx.clock.unixMs() };
    const totals = describeTotals(after.votes, after.voted.createdAtMs, seen);
    return { ...totals, ...(value !== 0 && { my_vote: value }) };
  };
}

/** The points of somebody in a community, which votes for all that they write there change. */
function pointsIn(communityId: Id, userId: Id): string {
  return `points ${communityId} ${userId}`;
}
