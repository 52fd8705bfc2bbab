import { hasPermission, PERMISSIONS, permissionsOf, type Id, type Viewer } from '@hearth/protocol';
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
}

/** Where something is. */
export interface Place {
  readonly communityId: Id;
  readonly channelId: Id;
}

/** The channel of a place, if somebody sees it. */
export type Sight = (place: Place) => Seen | undefined;

/**
 * What somebody sees of many places. Nobody sees a community that was deleted. Whether visitors may read at all has to be
 * decided before.
 */
export async function sightOf(
  ctx: Pick<Context, 'database'> & KeepsCommunities,
  userId: Id | undefined,
  places: Iterable<Pick<Place, 'communityId'>>,
): Promise<Sight> {
  const ids = new Set(Array.from(places, ({ communityId }) => communityId));
  if (ids.size === 0) return () => undefined;
  const members = userId === undefined ? [] : await readMemberships(ctx.database.reader, userId);
  return sightWith(members, await ctx.communities.all([...ids]));
}

/** The same for the places of one community, by what is remembered. */
export async function sightIn(
  ctx: KeepsCommunities & KeepsMembers,
  userId: Id,
  { communityId }: Pick<Place, 'communityId'>,
): Promise<Sight> {
  const member = await ctx.members.get(communityId, userId);
  const community = await ctx.communities.get(communityId);
  return sightWith(member ? [member] : [], new Map(community && [[communityId, community]]));
}

function sightWith(
  members: readonly StoredMember[],
  communities: ReadonlyMap<Id, KnownCommunity>,
): Sight {
  const memberIn = new Map(members.map((member) => [member.communityId, member]));
  return ({ communityId, channelId }) => {
    const [community, member] = [communities.get(communityId), memberIn.get(communityId)];
    const channel = community?.channelById.get(channelId);
    if (community === undefined || channel === undefined) return undefined;
    const { deletedAtMs, visibility } = community.stored;
    if (deletedAtMs > 0 || (member === undefined && visibility === 'private')) return undefined;
    const mask = permissionsOf(viewerOf(member), community, channel.levels);
    if (!hasPermission(PERMISSIONS, mask, 'VIEW')) return undefined;
    return { community, channel, member };
  };
}

/** An account that is no member sees what visitors see. */
function viewerOf(member: StoredMember | undefined): Viewer {
  if (member === undefined) return { kind: 'visitor' };
  return { kind: 'member', id: member.userId, role_ids: member.roleIds };
}
