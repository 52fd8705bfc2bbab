import type { Id, Vote } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { audit, beginEntry } from '../../communities/audit/audit.ts';
import { requireIn, type AccessContext } from '../../communities/structure/structure.ts';
import { requireMember } from '../../talk/places/places.ts';
import { deletedUser, type KeepsUsers } from '../../accounts/users/users.ts';
import { selectVoters, type VotedPlace } from '../votes/votes.ts';
import { accessToVoted } from './voting-access.ts';

export interface VotesQuery {
  readonly id: Id;
  readonly after?: Id | undefined;
  readonly before?: Id | undefined;
  readonly limit: number;
}

/**
 * Lists who voted for a post, the newest account first, for members with VIEW_VOTES. The audit log records the look. Throws
 * NotFoundError and ForbiddenError.
 */
export const listPostVotes = listing('post');

/** Lists who voted for a comment, as {@link listPostVotes} does for a post. */
export const listCommentVotes = listing('comment');

function listing(kind: VotedPlace['kind']) {
  return async (
    ctx: AccessContext & KeepsUsers,
    actor: Account,
    { id, ...range }: VotesQuery,
  ): Promise<readonly Vote[]> => {
    const { access } = await accessToVoted(ctx, actor, { kind, id });
    requireMember(access);
    requireIn(access, 'VIEW_VOTES', ctx.clock.unixMs());
    const { channel } = access;
    const entry = await beginEntry(ctx, actor, channel.communityId);
    await ctx.database.transaction((tx) =>
      audit(tx, entry, { action: 'votes_view', target: { kind, id }, channel }),
    );
    const votes = await selectVoters(ctx.database.reader, id, range);
    const users = await ctx.users.all(votes.map(({ userId }) => userId));
    return votes.map(({ userId, value, castAtMs }) => ({
      user: users.get(userId) ?? deletedUser(userId),
      value,
      cast_at: castAtMs,
    }));
  };
}
