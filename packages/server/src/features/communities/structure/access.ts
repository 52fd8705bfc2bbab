import {
  ForbiddenError,
  hasPermission,
  NotFoundError,
  PERMISSIONS,
  permissionsOf,
  sightOf,
  type Id,
  type Permission,
  type PermissionMask,
  type Viewer,
} from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { andThen } from '../../../lib/and-then.ts';
import type { Context } from '../../../context.ts';
import { NOT_EXCLUDED, type Exclusion } from './exclusion.ts';
import type { KeepsExclusions } from './known-exclusions.ts';
import type { KeepsChannelHomes } from './channel-homes.ts';
import type { KeepsMembers } from './known-members.ts';
import type { StoredMember } from './member-store.ts';
import { requireReader } from '../../accounts/users/users.ts';
import type { KeepsCommunities } from './known-communities.ts';
import type { KnownChannel, KnownCommunity } from './known-community.ts';
import {
  placeNow,
  recalledPlace,
  rememberedCommunity,
  rememberedPlace,
  type FoundPlace,
} from './place-now.ts';
import type { NamedPlace } from './standing-store.ts';
import type { KeepsStandings } from './standings.ts';
import type { StoredCommunity } from './community-store.ts';

/** Somebody in a community that they may see. */
export interface Access {
  readonly community: KnownCommunity;
  /** Undefined for those who are not members. */
  readonly member: StoredMember | undefined;
  readonly viewer: Viewer;
  /** The moment until which they may only read, also somebody who is not a member any more; it is past if they may do more. */
  readonly timedOutUntilMs: number;
  /** The permissions of theirs in the community as a whole. */
  readonly permissions: PermissionMask<Permission>;
}

/** The context that it takes to find out who somebody is where. */
export interface AccessContext
  extends
    Context,
    KeepsChannelHomes,
    KeepsCommunities,
    KeepsExclusions,
    KeepsMembers,
    KeepsStandings {}

/** An access to a channel that they may see. */
export interface ChannelAccess extends Access {
  readonly channel: KnownChannel;
}

/**
 * Returns what somebody may do in a community. Throws NotFoundError if they may not know that it exists, and
 * UnauthorizedError or ForbiddenError for visitors where the owner of the instance lets nobody read without an account,
 * or without the access code.
 */
export async function accessTo(ctx: AccessContext, actor: Actor, id: Id): Promise<Access> {
  await requireReader(ctx, actor);
  const known = rememberedCommunity(ctx, actor, id);
  const place = known ?? (await placeNow(ctx, actor, { kind: 'community', id }));
  if (place === undefined) throw new NotFoundError();
  const { community, member } = place;
  const exclusion = await exclusionFrom(ctx, actor, place);
  return accessOf(ctx, actor, { community, member, ...(exclusion && { exclusion }) });
}

/**
 * Returns what somebody may do in a channel. Throws NotFoundError if they may not know that it exists, after the same
 * queries as for one that does not: what is remembered can let them in, but never keeps them out.
 */
export function accessToChannel(
  ctx: AccessContext,
  actor: Actor,
  id: Id,
): ChannelAccess | Promise<ChannelAccess> {
  return accessToPlace(ctx, actor, { kind: 'channel', id });
}

/** Does the same for a channel, or for the channel of a post or comment; at once for a member of whom all is remembered. */
export function accessToPlace(
  ctx: AccessContext,
  actor: Actor,
  named: NamedPlace,
): ChannelAccess | Promise<ChannelAccess> {
  return andThen(requireReader(ctx, actor), () => {
    const known = rememberedPlace(ctx, actor, named);
    const access = accessAt(ctx, actor, known);
    if (access?.member !== undefined) return access;
    return known === undefined
      ? recallAccess(ctx, actor, named)
      : readAccess(ctx, actor, { named, access });
  });
}

async function recallAccess(
  ctx: AccessContext,
  actor: Actor,
  named: NamedPlace,
): Promise<ChannelAccess> {
  const access = accessAt(ctx, actor, await recalledPlace(ctx, actor, named));
  return await readAccess(ctx, actor, { named, access });
}

async function readAccess(
  ctx: AccessContext,
  actor: Actor,
  { named, access }: { readonly named: NamedPlace; readonly access: ChannelAccess | undefined },
): Promise<ChannelAccess> {
  return access === undefined
    ? await currentAccess(ctx, actor, named)
    : await withoutExcluded(ctx, actor, access);
}

/**
 * Reads what somebody may do in a channel as it is now: somebody who knows of a change from the gateway may be ahead of
 * this process.
 */
export async function currentAccessToChannel(
  ctx: AccessContext,
  actor: Actor,
  id: Id,
): Promise<ChannelAccess> {
  await requireReader(ctx, actor);
  return await currentAccess(ctx, actor, { kind: 'channel', id });
}

async function currentAccess(
  ctx: AccessContext,
  actor: Actor,
  named: NamedPlace,
): Promise<ChannelAccess> {
  const access = accessAt(ctx, actor, await placeNow(ctx, actor, named));
  if (access === undefined) throw new NotFoundError();
  return await withoutExcluded(ctx, actor, access);
}

function accessAt(
  ctx: Pick<Context, 'clock'>,
  actor: Actor,
  place: FoundPlace | undefined,
): ChannelAccess | undefined {
  if (place === undefined || place.channelId === '') return undefined;
  const { community, member, channelId } = place;
  return accessIn(ctx, actor, { community, member, channelId });
}

/** Returns what a member, or somebody else, may do in a channel. */
export function permissionsIn(
  { viewer, community }: Pick<Access, 'viewer' | 'community'>,
  { levels }: Pick<KnownChannel, 'levels'>,
): PermissionMask<Permission> {
  return permissionsOf(viewer, community, levels);
}

/** Throws ForbiddenError, which names the permission, if it is missing. */
export function requireIn(
  access: Pick<Access, 'permissions' | 'timedOutUntilMs'>,
  permission: Permission,
  nowMs: number,
): void {
  if (hasPermission(PERMISSIONS, access.permissions, permission)) return;
  requireNoTimeOut(access, nowMs);
  throw new ForbiddenError({ code: 'permission_missing', permission });
}

/**
 * Requires a permission that also those have who are not members, in a community that everyone may join. Throws NotFoundError for a
 * community that was deleted, and ForbiddenError.
 */
export function requireDiscussing(
  access: Access,
  permission: 'COMMENT' | 'VOTE',
  nowMs: number,
): void {
  const { viewer, community } = access;
  if (community.stored.deletedAtMs > 0) throw new NotFoundError();
  if (viewer.kind === 'visitor') throw new ForbiddenError({ code: 'not_member' });
  requireNoTimeOut(access, nowMs);
  if (viewer.kind === 'account' && !viewer.may_discuss)
    throw new ForbiddenError({ code: 'not_member' });
  requireIn(access, permission, nowMs);
}

/** Throws ForbiddenError, with the end of the time-out, if somebody may only read. */
export function requireNoTimeOut(
  { permissions, timedOutUntilMs: until }: Pick<Access, 'permissions' | 'timedOutUntilMs'>,
  nowMs: number,
): void {
  // Administrators are not kept from anything.
  if (until <= nowMs || hasPermission(PERMISSIONS, permissions, 'ADMINISTRATOR')) return;
  throw new ForbiddenError({ code: 'timed_out', until });
}

/** A community that somebody sees, and what is known of them there. */
interface Place extends Pick<Access, 'community' | 'member'> {
  /** A reason why somebody who is not a member may only read, if any is known. */
  readonly exclusion?: Exclusion;
}

/** Returns what somebody may do in a community that they see. */
export function accessOf(
  { clock }: Pick<Context, 'clock'>,
  actor: Pick<Actor, 'kind'>,
  { community, member, exclusion = NOT_EXCLUDED }: Place,
): Access {
  const viewer = viewerOf(actor, { community, member, exclusion, nowMs: clock.unixMs() });
  const timedOutUntilMs = member?.timedOutUntilMs ?? exclusion.timedOutUntilMs;
  const permissions = permissionsOf(viewer, community);
  return { community, member, viewer, timedOutUntilMs, permissions };
}

/** Reduces access to what somebody keeps who is banned, or who has left while they were timed out. */
async function withoutExcluded(
  ctx: Pick<Context, 'clock'> & KeepsExclusions,
  actor: Actor,
  access: ChannelAccess,
): Promise<ChannelAccess> {
  const exclusion = await exclusionFrom(ctx, actor, access);
  if (exclusion === undefined) return access;
  const { community, member, channel } = access;
  const place = { community, member, exclusion, channelId: channel.id };
  const left = accessIn(ctx, actor, place);
  if (left === undefined) throw new NotFoundError();
  return left;
}

/** Returns what keeps somebody from more than reading, if that makes a difference: visitors may only read anyway. */
async function exclusionFrom(
  ctx: Pick<Context, 'clock'> & KeepsExclusions,
  actor: Actor,
  { community: { stored }, member }: Pick<Access, 'community' | 'member'>,
): Promise<Exclusion | undefined> {
  if (actor.kind !== 'account' || member !== undefined || !mayDiscuss(stored)) return undefined;
  return await ctx.exclusions.of(ctx, stored.id, actor.user_id);
}

/** Access to a channel of a community; undefined if they may not know that it exists. */
export function accessIn(
  ctx: Pick<Context, 'clock'>,
  actor: Actor,
  { channelId, ...place }: Place & { readonly channelId: Id },
): ChannelAccess | undefined {
  const { community, member } = place;
  const channel = community.channelById.get(channelId);
  if (channel === undefined) return undefined;
  const access = accessOf(ctx, actor, place);
  const permissions = permissionsIn(access, channel);
  const { reads } = sightOf(community, member?.userId, permissions);
  return reads ? { ...access, channel, permissions } : undefined;
}

interface Standing extends Place {
  readonly nowMs: number;
}

function viewerOf(
  actor: Pick<Actor, 'kind'>,
  { community: { stored }, member, exclusion, nowMs }: Standing,
): Viewer {
  if (member !== undefined) {
    return {
      kind: 'member',
      id: member.userId,
      role_ids: member.roleIds,
      is_timed_out: member.timedOutUntilMs > nowMs,
    };
  }
  if (actor.kind !== 'account' || exclusion?.isBanned === true) return { kind: 'visitor' };
  const isTimedOut = (exclusion?.timedOutUntilMs ?? 0) > nowMs;
  return { kind: 'account', may_discuss: mayDiscuss(stored) && !isTimedOut };
}

/** Returns whether people with an account may comment and vote without being members. */
function mayDiscuss({ visibility, join }: StoredCommunity): boolean {
  return visibility === 'public' && join === 'open';
}
