import {
  sightOf,
  ForbiddenError,
  NotFoundError,
  type ProtocolError,
  type Id,
  type OwnCommunity,
} from '@hearth/protocol';
import { dropOut, type EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { bansOf, lockCommunities, memberKey, sighted } from '../structure/structure.ts';
import { enterAll, type EnteringContext } from './enter.ts';

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
