import {
  channelSightOf,
  ForbiddenError,
  isSeenWith,
  NotFoundError,
  sightOf,
  type Id,
} from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import type { Account, Actor } from '../../../actor.ts';
import { COMMUNITIES, seenWith } from '../../communities/audiences/audiences.ts';
import { andThen } from '../../../lib/and-then.ts';
import {
  accessesNow,
  accessToChannel,
  areKnownRules,
  hasVersion,
  readCommunity,
  readMemberships,
  selectHomes,
  type AccessContext,
  type Acting,
  type ChannelAccess,
  type KeepsMembers,
  type KnownChannel,
  type KnownCommunity,
  type StoredMember,
} from '../../communities/structure/structure.ts';
import { LOBBY_ID } from './lobby.ts';
import type {
  AccessNow,
  Guard,
  OwnPlaces,
  PlaceAccess,
  PlaceKind,
  PlaceReader,
  Requirement,
  ShownTo,
  Turning,
} from './place.ts';

/** A channel of a community, as a place. */
export type ChannelPlace = PlaceAccess & ChannelAccess;

const MEMBER = `join members on members.community_id = given.guard_place_id and members.user_id = given.guard_user_id
  and members.version = given.guard_version`;

/** The channels of communities. */
export const CHANNELS: PlaceKind = {
  followed: COMMUNITIES,
  notifies: true,
  mayHave: (id) => id !== LOBBY_ID,
  find: (ctx, actor, id) => findChannelPlace(ctx, actor, id),
  async now(tx, ctx, all) {
    const acting = new Map(all.map((turning) => [actingIn(turning), turning] as const));
    const found = new Map<Turning, AccessNow>();
    for (const [each, own] of await accessesNow(tx, ctx, [...acting.keys()])) {
      const turning = acting.get(each);
      const now = 'error' in own ? own : { access: channelPlace(own.access) };
      if (turning !== undefined) found.set(turning, now);
    }
    return found;
  },
  async still(tx, ctx, turning) {
    await accessStill(tx, ctx, actingIn(turning));
  },
  readerOf(access) {
    const { member } = inChannel(access);
    return member && readerAs(member);
  },
  async seeing(findMember, access, userIds) {
    const { community, channel } = inChannel(access);
    const seeing = userIds.map(async (userId) => {
      const member = await findMember(community.stored.id, userId);
      return member !== undefined && sees(community, channel, member) ? [userId] : [];
    });
    return new Set((await Promise.all(seeing)).flat());
  },
  async own({ communities, database }, { userIds, members }) {
    const all =
      members ??
      (await Promise.all(userIds.map((id) => readMemberships(database.reader, id)))).flat();
    const known = await communities.all([...new Set(all.map(({ communityId }) => communityId))]);
    const byUser = Map.groupBy(all, ({ userId }) => userId);
    return (userId) =>
      channelsOf(
        (byUser.get(userId) ?? []).flatMap((member) => {
          const community = known.get(member.communityId);
          const follows = community !== undefined && sightOf(community, userId).follows;
          return follows ? [{ community, member }] : [];
        }),
      );
  },
  async visible(ctx, things) {
    const here = things.filter(isInCommunity);
    const known = await ctx.communities.all(here.map(({ communityId }) => communityId));
    const byUser = Map.groupBy(here, ({ userId }) => userId);
    const seen = Array.from(byUser, async ([userId, own]) => {
      const ids = new Set(own.map(({ communityId }) => communityId));
      const seenAt = seenWith(await membershipsIn(ctx, userId, [...ids]), known);
      return own.filter((each) => seenAt(each) !== undefined);
    });
    return (await Promise.all(seen)).flat();
  },
  async read({ sql }, { channelHomes }, id) {
    const home = channelHomes.peek(id) ?? (await selectHomes(sql, [id])).get(id);
    const community = home && (await readCommunity(sql, home));
    return community?.channelById.get(id);
  },
};

function isInCommunity<Thing extends ShownTo>(
  thing: Thing,
): thing is Thing & { readonly communityId: Id } {
  return thing.communityId !== '';
}

/** The memberships of somebody in communities, as they are now. */
async function membershipsIn(
  { database, members }: Pick<Context, 'database'> & KeepsMembers,
  userId: Id,
  ids: readonly Id[],
): Promise<readonly StoredMember[]> {
  const [id] = ids;
  if (id === undefined || ids.length > 1) return await readMemberships(database.reader, userId);
  const member = await members.read(id, userId);
  return member ? [member] : [];
}

/** The channels of communities that somebody follows as a member. */
function channelsOf(
  own: readonly { readonly community: KnownCommunity; readonly member: StoredMember }[],
): OwnPlaces {
  const byCommunity = new Map<Id | '', (typeof own)[number]>(
    own.map((each) => [each.member.communityId, each]),
  );
  return {
    communityIds: own.map(({ member }) => member.communityId),
    subjects: own.flatMap(({ member }) => subjectsOf(member)),
    readerIn({ channelId, communityId }) {
      const home =
        communityId === undefined
          ? own.find(({ community }) => community.channelById.has(channelId))
          : byCommunity.get(communityId);
      const channel = home?.community.channelById.get(channelId);
      if (home === undefined || channel === undefined) return undefined;
      return sees(home.community, channel, home.member) ? readerAs(home.member) : undefined;
    },
  };
}

function readerAs(member: StoredMember): PlaceReader {
  return { subjects: subjectsOf(member), sinceMs: member.joinedAtMs };
}

/** A channel for somebody who sees it, as a place. Throws NotFoundError. */
export function findChannelPlace(
  ctx: AccessContext,
  actor: Actor,
  id: Id,
): ChannelPlace | Promise<ChannelPlace> {
  return andThen(accessToChannel(ctx, actor, id), channelPlace);
}

/** Returns what somebody may do in a channel, as what they may do in a place. */
export function channelPlace(access: ChannelAccess): ChannelPlace {
  const { channel, member } = access;
  return { ...access, of: CHANNELS, place: channel, guard: member && memberGuard(member) };
}

/** Lets somebody write as long as they are the member that they were. */
export function memberGuard({
  communityId: placeId,
  userId,
  version,
}: Pick<StoredMember, 'communityId' | 'userId' | 'version'>): Guard {
  return { join: MEMBER, placeId, userId, version };
}

/** Returns what somebody may do in a channel of a community; undefined for a place of another kind. */
export function asChannel(access: PlaceAccess): ChannelPlace | undefined {
  return isChannel(access) ? access : undefined;
}

/** Returns what somebody may do in a channel, where only channels are. Throws TypeError for a place of another kind. */
export function inChannel(access: PlaceAccess): ChannelPlace {
  if (!isChannel(access)) throw new TypeError('a place is no channel');
  return access;
}

/**
 * Reads who may do what in a channel now, as far as this process knows. Throws NotFoundError, and what `requires`
 * throws.
 */
export async function turningInChannel(
  ctx: AccessContext,
  actor: Account,
  { channelId, requires }: { readonly channelId: Id; readonly requires: Requirement<ChannelPlace> },
): Promise<Turning<ChannelPlace>> {
  const access = await findChannelPlace(ctx, actor, channelId);
  requires(access);
  return { actor, access, requires };
}

/**
 * Reads what somebody may do in a channel, as a transaction finds it that locks nothing of the channel because it
 * changes only what the person notes for themselves. Throws NotFoundError, and what `requires` throws.
 */
export async function accessStill(
  tx: Transaction,
  ctx: Pick<Context, 'clock'>,
  acting: Acting,
): Promise<ChannelAccess> {
  const { access } = acting;
  const isCurrent =
    access.member !== undefined &&
    (await areKnownRules(tx, access.community.stored)) &&
    (await hasVersion(tx, access.member));
  if (isCurrent) {
    acting.requires(access);
    return access;
  }
  const now = (await accessesNow(tx, ctx, [acting])).get(acting) ?? { error: new NotFoundError() };
  if ('error' in now) throw now.error;
  return now.access;
}

/** Returns what somebody does in a channel. */
export function actingIn(turning: Turning): Acting {
  const { actor } = turning;
  const requires = (now: ChannelAccess) => turning.requires(channelPlace(now));
  return { actor, access: inChannel(turning.access), requires };
}

function isChannel(access: PlaceAccess): access is ChannelPlace {
  return access.of === CHANNELS;
}

/** A member. Throws ForbiddenError unless somebody is one, and NotFoundError in a community that was deleted. */
export function requireMember({ member, community }: ChannelAccess): StoredMember {
  if (community.stored.deletedAtMs > 0) throw new NotFoundError();
  if (member === undefined) throw new ForbiddenError({ code: 'not_member' });
  return member;
}

/** Returns whether a member sees a channel. */
export function sees(
  community: KnownCommunity,
  { levels }: Pick<KnownChannel, 'levels'>,
  { userId, roleIds }: Pick<StoredMember, 'userId' | 'roleIds'>,
): boolean {
  const viewer = { kind: 'member', id: userId, role_ids: roleIds } as const;
  return channelSightOf(viewer, community, levels).follows;
}

/** Returns whom a message has to mention so that it mentions a member: them, one of their roles, or everyone. */
export function subjectsOf({
  userId,
  communityId,
  roleIds,
}: Pick<StoredMember, 'userId' | 'communityId' | 'roleIds'>): readonly Id[] {
  return [userId, communityId, ...roleIds];
}

/** A channel of a community. */
export interface ChannelInCommunity {
  readonly community: KnownCommunity;
  readonly channel: KnownChannel;
}

/** Returns whether everyone who sees one place sees a channel. */
export function everyoneSees(
  place: ChannelInCommunity | undefined,
  other: ChannelInCommunity,
): boolean {
  if (place?.community.id !== other.community.id) {
    return sightOf(other.community, undefined).follows && !other.channel.isRestricted;
  }
  const { channel } = place;
  if (other.community.is_deleted) return false;
  return channel.id === other.channel.id || isSeenWith(other.channel, channel);
}
