import { channelSightOf, type Id, type Viewer } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import {
  readMemberships,
  type KeepsCommunities,
  type KeepsMembers,
  type KnownChannel,
  type KnownCommunity,
  type StoredMember,
} from '../structure/structure.ts';

/** A channel that somebody sees. */
export interface Seen {
  readonly community: KnownCommunity;
  readonly channel: KnownChannel;
  /** Undefined for somebody who is no member. */
  readonly member: StoredMember | undefined;
  /** True if lists that do not name its community show it to them, too. */
  readonly isListed: boolean;
}

/** The place of something. */
export interface Place {
  readonly communityId: Id;
  readonly channelId: Id;
}

/** The channel of a place, if somebody sees it. */
export type SeenAt = (place: Place) => Seen | undefined;

/**
 * Reads what somebody sees of many places. Nobody sees a community that was deleted. Whether visitors may read at all
 * has to be decided before.
 */
export async function readSeen(
  ctx: Pick<Context, 'database'> & KeepsCommunities,
  userId: Id | undefined,
  places: Iterable<Pick<Place, 'communityId'>>,
): Promise<SeenAt> {
  const ids = new Set(Array.from(places, ({ communityId }) => communityId));
  if (ids.size === 0) return () => undefined;
  const members = userId === undefined ? [] : await readMemberships(ctx.database.reader, userId);
  return seenWith(members, await ctx.communities.all([...ids]));
}

/** Finds what somebody sees of the places of one community, by what is remembered. */
export async function readSeenIn(
  ctx: KeepsCommunities & KeepsMembers,
  userId: Id,
  { communityId }: Pick<Place, 'communityId'>,
): Promise<SeenAt> {
  const member = await ctx.members.get(communityId, userId);
  const community = await ctx.communities.get(communityId);
  return seenWith(member ? [member] : [], new Map(community && [[communityId, community]]));
}

/** Returns what somebody sees of places in communities, by what they are in them. */
export function seenWith(
  members: readonly StoredMember[],
  communities: ReadonlyMap<Id, KnownCommunity>,
): SeenAt {
  const memberIn = new Map(members.map((member) => [member.communityId, member]));
  return ({ communityId, channelId }) => {
    const [community, member] = [communities.get(communityId), memberIn.get(communityId)];
    const channel = community?.channelById.get(channelId);
    if (community === undefined || channel === undefined) return undefined;
    const sight = channelSightOf(viewerOf(member), community, channel.levels);
    return sight.follows ? { community, channel, member, isListed: sight.finds } : undefined;
  };
}

/** An account that is no member sees what visitors see. */
function viewerOf(member: StoredMember | undefined): Viewer {
  if (member === undefined) return { kind: 'visitor' };
  return { kind: 'member', id: member.userId, role_ids: member.roleIds };
}
