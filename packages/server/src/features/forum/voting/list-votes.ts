import type { Id, Vote } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { audit, beginEntry } from '../../communities/audit/audit.ts';
import { requireIn, type AccessContext } from '../../communities/structure/structure.ts';
import { requireMember } from '../../talk/places/places.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import { findVoters, type VotedPlace } from '../votes/votes.ts';
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
export function listPostVotes(
  ctx: AccessContext & KeepsUsers,
  actor: Account,
  query: VotesQuery,
): Promise<readonly Vote[]> {
  return listVotes(ctx, actor, { ...query, kind: 'post' });
}

/** Lists who voted for a comment, as {@link listVotes} does for a post. */
export function listCommentVotes(
  ctx: AccessContext & KeepsUsers,
  actor: Account,
  query: VotesQuery,
): Promise<readonly Vote[]> {
  return listVotes(ctx, actor, { ...query, kind: 'comment' });
}

async function listVotes(
  ctx: AccessContext & KeepsUsers,
  actor: Account,
  { kind, id, ...range }: VotesQuery & VotedPlace,
): Promise<readonly Vote[]> {
  const { access } = await accessToVoted(ctx, actor, { kind, id });
  requireMember(access);
  requireIn(access, 'VIEW_VOTES', ctx.clock.unixMs());
  const { channel } = access;
  const entry = await beginEntry(ctx, actor, channel.communityId);
  await ctx.database.transaction((tx) =>
    audit(tx, entry, { action: 'votes_view', target: { kind, id }, channel }),
  );
  return await findVoters(ctx, id, range);
}
