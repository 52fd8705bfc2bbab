import { sightOf, type Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { KeepsChannelHomes } from './channel-homes.ts';
import type { KeepsMembers } from './known-members.ts';
import type { StoredMember } from './member-store.ts';
import type { KeepsCommunities } from './known-communities.ts';
import type { KnownCommunity } from './known-community.ts';
import type { NamedPlace, Standing } from './standing-store.ts';
import type { KeepsStandings } from './standings.ts';
import { sighted } from './sighted.ts';

/** An id that no community, channel or user has. Looking for it takes the same queries as looking for one that exists. */
// Guarantee: ids are greater.
export const NOWHERE = '0' as Id;

export interface CommunityPlace {
  readonly community: KnownCommunity;
  /** Undefined for those who are not members. */
  readonly member: StoredMember | undefined;
}

export interface FoundPlace extends CommunityPlace {
  /** Empty for a community. */
  readonly channelId: Id | '';
}

type Knowing = KeepsChannelHomes & KeepsCommunities & KeepsMembers & KeepsStandings;

/**
 * A community if it is remembered, and if what is remembered lets somebody in. That somebody is no member is not remembered; nor
 * does it keep anybody out: they may have joined since.
 */
export function rememberedCommunity(
  { communities, members }: Knowing,
  actor: Actor,
  id: Id,
): CommunityPlace | undefined {
  const community = communities.peek(id);
  if (community === undefined) return undefined;
  const member = actor.kind === 'account' ? members.peek(id, actor.user_id) : undefined;
  if (actor.kind === 'account' && member === undefined) return undefined;
  return sightOf(community, member?.userId).reads ? { community, member } : undefined;
}

/** Finds the place of a channel, post or comment in the same way; undefined also if it is not remembered where it is. */
export function rememberedPlace(
  ctx: Knowing,
  actor: Actor,
  named: NamedPlace,
): FoundPlace | undefined {
  const place = whereWas(ctx, named);
  const known = place && rememberedCommunity(ctx, actor, place.communityId);
  return known && { ...known, channelId: place.channelId };
}

/**
 * Finds a place after its community was read again, once for all who ask meanwhile: a change of it concerns everyone
 * there at the same time. Only for somebody who is known to be a member, so that nobody else learns that there is such
 * a place.
 */
export async function recalledPlace(
  ctx: Knowing,
  actor: Actor,
  named: NamedPlace,
): Promise<FoundPlace | undefined> {
  const place = whereWas(ctx, named);
  if (place === undefined || actor.kind !== 'account') return undefined;
  const { communityId } = place;
  if (ctx.members.peek(communityId, actor.user_id) === undefined) return undefined;
  await ctx.communities.get(communityId);
  return rememberedPlace(ctx, actor, named);
}

export interface PlaceIds extends Pick<FoundPlace, 'channelId'> {
  readonly communityId: Id;
}

/** The place of a channel, post or comment, unless it is not remembered. */
export function whereWas(
  { channelHomes }: Pick<Knowing, 'channelHomes'>,
  { kind, id }: NamedPlace,
): PlaceIds | undefined {
  const channelId = kind === 'channel' ? id : channelHomes.peekChannel(id);
  const communityId = channelId && channelHomes.peek(channelId);
  return communityId && { communityId, channelId };
}

/**
 * A place as it is now, for somebody who sees its community; undefined for what does not exist, after the same statement. What is
 * remembered is used if that statement finds that it is still true, so that what is hidden takes no more work than that.
 */
export async function placeNow(
  ctx: Knowing,
  actor: Actor,
  named: NamedPlace,
): Promise<FoundPlace | undefined> {
  const userId = actor.kind === 'account' ? actor.user_id : undefined;
  const standing = await ctx.standings.find(named, userId);
  if (standing === undefined) return undefined;
  const memberId = standing.member && userId;
  if (!sightOf(sighted(standing.community), memberId).reads) return undefined;
  const { channelId } = standing;
  const { id } = standing.community;
  noteHome(ctx, named, standing);
  const community = currentlyKnown(ctx, standing) ?? (await ctx.communities.read(id));
  if (community === undefined) return undefined;
  const member = await memberNow(ctx, standing, userId);
  // It may have changed since the statement.
  return sightOf(community, member?.userId).reads ? { community, member, channelId } : undefined;
}

/** The place of a channel or post, for anyone; undefined for what does not exist, after the same statement. */
export async function whereIs(
  { channelHomes, standings }: Pick<Knowing, 'channelHomes' | 'standings'>,
  named: NamedPlace,
): Promise<PlaceIds | undefined> {
  const standing = await standings.find(named, undefined);
  if (standing === undefined) return undefined;
  noteHome({ channelHomes }, named, standing);
  return { communityId: standing.community.id, channelId: standing.channelId };
}

function noteHome(
  { channelHomes }: Pick<Knowing, 'channelHomes'>,
  { kind, id }: NamedPlace,
  { channelId, community }: Standing,
): void {
  if (channelId === '') return;
  channelHomes.note(channelId, community.id);
  if (kind !== 'channel') channelHomes.noteChannel(id, channelId);
}

function currentlyKnown(
  { communities }: Knowing,
  { community }: Standing,
): KnownCommunity | undefined {
  const known = communities.peek(community.id);
  const isSame =
    known?.stored.structureVersion === community.structureVersion &&
    known.stored.version === community.version;
  return isSame ? known : undefined;
}

async function memberNow(
  { members }: Knowing,
  { community: { id }, member }: Standing,
  userId: Id | undefined,
): Promise<StoredMember | undefined> {
  if (member === undefined || userId === undefined) return undefined;
  const known = members.peek(id, userId);
  const isSame = known?.version === member.version && known.joinedAtMs === member.joinedAtMs;
  return isSame ? known : await members.read(id, userId);
}
