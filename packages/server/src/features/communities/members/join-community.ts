import {
  sightOf,
  ForbiddenError,
  NotFoundError,
  type Id,
  type OwnCommunity,
  type ProtocolError,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { dropOut, type EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { requireEntry } from '../../accounts/moderation/moderation.ts';
import {
  accessTo,
  bansOf,
  lockCommunities,
  memberKey,
  sighted,
  type AccessContext,
} from '../structure/structure.ts';
import { findOwnCommunity } from './describe-own-community.ts';
import type { KeepsOpenToJoin } from './open-to-join.ts';
import { enterAll, type HasMembershipBeginners, type EnteringContext } from './enter.ts';

/**
 * Makes the caller a member of a community that everybody may join; a member already is answered the same. Throws
 * NotFoundError if the caller may not know that it exists, ForbiddenError if it cannot be joined like this or if they are
 * banned, and ConflictError for one community too many.
 */
export async function joinCommunity(
  ctx: AccessContext & HasMembershipBeginners & KeepsOpenToJoin,
  actor: Account,
  { community_id: id }: { readonly community_id: Id },
): Promise<OwnCommunity> {
  await requireEntry(ctx, actor);
  if (!(await ctx.openToJoin.has(id))) {
    const { member } = await accessTo(ctx, actor, id);
    const { reader } = ctx.database;
    if (member !== undefined) return await findOwnCommunity(reader, ctx, { actor, id });
  }
  const { user_id: userId } = actor;
  const writing = { subjects: [id, userId], caller: userId } as const;
  return await ctx.database.write(joinAll, { ctx, communityId: id, userId }, writing);
}

export interface Joining {
  readonly ctx: EnteringContext;
  readonly communityId: Id;
  readonly userId: Id;
}

/**
 * Makes people members of communities that everybody may join, in the order of the list. Others drop out: with NotFoundError if
 * the community is not there or private, and ForbiddenError if they are banned, or if it cannot be joined like this; and as
 * {@link enterAll} has it.
 */
export async function joinAll(
  tx: EmittingTransaction,
  joins: readonly Joining[],
): Promise<readonly OwnCommunity[]> {
  const [first] = joins;
  if (first === undefined) return [];
  const { ctx } = first;
  const communities = await lockCommunities(tx, new Set(joins.map((join) => join.communityId)));
  const bans = await bansOf(tx, joins, ctx.clock.unixMs());
  const refusalOf = ({ communityId, userId }: Joining): ProtocolError | undefined => {
    const community = communities.get(communityId);
    if (community === undefined || !sightOf(sighted(community), undefined).reads)
      return new NotFoundError();
    const ban = bans.get(memberKey(communityId, userId));
    if (ban !== undefined) return ban;
    return community.join === 'open' ? undefined : new ForbiddenError({ code: 'join_closed' });
  };
  dropOut(
    joins.flatMap((join, at) => {
      const error = refusalOf(join);
      return error === undefined ? [] : [[at, { error }] as const];
    }),
  );
  return await enterAll(tx, ctx, joins);
}
