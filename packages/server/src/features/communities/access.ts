import {
  ForbiddenError,
  hasPermission,
  NotFoundError,
  PERMISSIONS,
  permissionsOf,
  type Id,
  type Permission,
  type PermissionMask,
  type Viewer,
} from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { StoredMember } from '../members/known-members.ts';
import { requireReader } from '../users/require-reader.ts';
import type { CommunityContext } from './community-context.ts';
import type { KnownChannel, KnownCommunity } from './known-community.ts';
import { selectCommunity, type StoredCommunity } from './store.ts';

/** Somebody in a community that they may see. */
export interface Access {
  readonly community: KnownCommunity;
  /** Undefined for those who are not members. */
  readonly member: StoredMember | undefined;
  readonly viewer: Viewer;
  /** What they may do in the community as a whole. */
  readonly permissions: PermissionMask<Permission>;
}

/** The same for a channel that they may see. */
export interface ChannelAccess extends Access {
  readonly channel: KnownChannel;
}

/**
 * What somebody may do in a community. Throws NotFoundError if they may not know that it exists, and UnauthorizedError or
 * ForbiddenError for visitors where the owner of the instance lets nobody read without an account, or without the access code.
 */
export async function accessTo(ctx: CommunityContext, actor: Actor, id: Id): Promise<Access> {
  await requireReader(ctx, actor);
  const member = actor.kind === 'user' ? await ctx.members.get(id, actor.user_id) : undefined;
  const community = await seenCommunity(ctx, { actor, member, id });
  if (community === undefined) throw new NotFoundError();
  const isBanned = await isBannedFrom(ctx, actor, { community, member });
  return accessOf(ctx, actor, { community, member, isBanned });
}

/**
 * What somebody may do in a channel. Throws NotFoundError if they may not know that it exists, after the same queries as for
 * one that does not: what is remembered can let them in, but never keeps them out.
 */
export async function accessToChannel(
  ctx: CommunityContext,
  actor: Actor,
  channelId: Id,
): Promise<ChannelAccess> {
  await requireReader(ctx, actor);
  const { member, access } = await rememberedAccess(ctx, actor, channelId);
  const found = access ?? (await readAccess(ctx, actor, { channelId, member }));
  if (found === undefined) throw new NotFoundError();
  return await withoutBanned(ctx, actor, found);
}

/** The same with the channel as it is now: somebody who knows of a change from the gateway may be ahead of this process. */
export async function currentAccessToChannel(
  ctx: CommunityContext,
  actor: Actor,
  channelId: Id,
): Promise<ChannelAccess> {
  await requireReader(ctx, actor);
  const found = await readAccess(ctx, actor, { channelId, member: undefined });
  if (found === undefined) throw new NotFoundError();
  return await withoutBanned(ctx, actor, found);
}

/** What a member, or somebody else, may do in a channel. */
export function permissionsIn(
  { viewer, community }: Pick<Access, 'viewer' | 'community'>,
  { levels }: Pick<KnownChannel, 'levels'>,
): PermissionMask<Permission> {
  return permissionsOf(viewer, community, levels);
}

/** Throws ForbiddenError, which names the permission, if it is missing. */
export function requireIn(
  { permissions, member }: Access,
  permission: Permission,
  nowMs: number,
): void {
  if (hasPermission(PERMISSIONS, permissions, permission)) return;
  const until = member?.timedOutUntilMs ?? 0;
  throw until > nowMs
    ? new ForbiddenError({ code: 'timed_out', until })
    : new ForbiddenError({ code: 'permission_missing', permission });
}

/** A community that somebody sees, and what is known of them there. */
interface Place extends Pick<Access, 'community' | 'member'> {
  readonly isBanned?: boolean;
}

/** What somebody may do in a community that they see. */
export function accessOf(
  { clock }: Pick<CommunityContext, 'clock'>,
  actor: Pick<Actor, 'kind'>,
  { community, member, isBanned = false }: Place,
): Access {
  const viewer = viewerOf(actor, { community, member, isBanned, nowMs: clock.unixMs() });
  return { community, member, viewer, permissions: permissionsOf(viewer, community) };
}

/** Whether somebody is a member, if that had to be read: null if they are not. */
type ReadMember = StoredMember | null | undefined;

interface Remembered {
  readonly member?: ReadMember;
  /** Undefined if it does not follow from what is remembered. */
  readonly access?: ChannelAccess | undefined;
}

/** Access to a channel of a community that is remembered. That somebody is no member is not, so it is read. */
async function rememberedAccess(
  ctx: CommunityContext,
  actor: Actor,
  channelId: Id,
): Promise<Remembered> {
  const id = ctx.channelHomes.peek(channelId);
  const community = id === undefined ? undefined : ctx.communities.peek(id);
  if (id === undefined || community === undefined) return {};
  if (actor.kind !== 'user') {
    return { access: accessIn(ctx, actor, { community, member: undefined, channelId }) };
  }
  const known = ctx.members.peek(id, actor.user_id);
  if (known !== undefined) {
    return { access: accessIn(ctx, actor, { community, member: known, channelId }) };
  }
  const member = await ctx.members.read(id, actor.user_id);
  const access = accessIn(ctx, actor, { community, member, channelId });
  return { member: member ?? null, access };
}

/**
 * Access to a channel, from the database; undefined if they may not know that it exists. Nothing of it may be remembered:
 * somebody who has just gained access, and knows it from the gateway, may be ahead of this process.
 */
async function readAccess(
  ctx: CommunityContext,
  actor: Actor,
  { channelId, member: read }: { readonly channelId: Id; readonly member: ReadMember },
): Promise<ChannelAccess | undefined> {
  // A channel that does not exist belongs to a community that nobody sees, so the same is asked.
  const id = (await ctx.channelHomes.read(channelId)) ?? channelId;
  const userId = actor.kind === 'user' ? actor.user_id : undefined;
  const isAsked = userId === undefined || read !== undefined;
  const member = isAsked ? (read ?? undefined) : await ctx.members.read(id, userId);
  const community = await ctx.communities.read(id);
  return community && accessIn(ctx, actor, { community, member, channelId });
}

/** The same access, reduced to what a banned user keeps. */
async function withoutBanned(
  ctx: CommunityContext,
  actor: Actor,
  access: ChannelAccess,
): Promise<ChannelAccess> {
  if (!(await isBannedFrom(ctx, actor, access))) return access;
  const { community, member, channel } = access;
  const place = { community, member, isBanned: true, channelId: channel.id };
  const left = accessIn(ctx, actor, place);
  if (left === undefined) throw new NotFoundError();
  return left;
}

/** Whether somebody is banned, if that makes a difference: members are not, and visitors may only read anyway. */
async function isBannedFrom(
  ctx: CommunityContext,
  actor: Actor,
  { community: { stored }, member }: Pick<Access, 'community' | 'member'>,
): Promise<boolean> {
  if (actor.kind !== 'user' || member !== undefined || !mayDiscuss(stored)) return false;
  return await ctx.bans.has(ctx, stored.id, actor.user_id);
}

/** Access to a channel of a community; undefined if they may not know that it exists. */
export function accessIn(
  ctx: Pick<CommunityContext, 'clock'>,
  actor: Actor,
  { channelId, ...place }: Place & { readonly channelId: Id },
): ChannelAccess | undefined {
  const { stored, channelById } = place.community;
  const channel = channelById.get(channelId);
  const isAround = place.member === undefined ? isSeen(stored, actor) : isThere(stored, actor);
  if (channel === undefined || !isAround) return undefined;
  const access = accessOf(ctx, actor, place);
  const permissions = permissionsIn(access, channel);
  const sees = hasPermission(PERMISSIONS, permissions, 'VIEW');
  return sees ? { ...access, channel, permissions } : undefined;
}

interface Seeing {
  readonly actor: Actor;
  readonly member: StoredMember | undefined;
  readonly id: Id;
}

/**
 * A community, if it may be seen. Unless it is public and remembered, nobody but its members is answered from memory: then
 * a community that is hidden would be refused sooner than one that does not exist.
 */
async function seenCommunity(
  { communities, database }: CommunityContext,
  { actor, member, id }: Seeing,
): Promise<KnownCommunity | undefined> {
  const remembered = communities.peek(id);
  const isSure = member !== undefined || (remembered && isSeen(remembered.stored, actor));
  if (isSure !== true) {
    const stored = await selectCommunity(database.reader, id);
    if (stored === undefined || !isSeen(stored, actor)) return undefined;
  }
  const community = remembered ?? (await communities.get(id));
  return community !== undefined && isThere(community.stored, actor) ? community : undefined;
}

/** Whether somebody who is not a member may see a community. */
function isSeen(stored: StoredCommunity, actor: Actor): boolean {
  return stored.visibility !== 'private' && isThere(stored, actor);
}

/** A deleted community is there for its owner only. */
export function isThere(stored: StoredCommunity, actor: Actor): boolean {
  return isThereFor(actor.kind === 'user' ? actor.user_id : undefined, stored);
}

/** The same for a person, or for somebody without an account. */
export function isThereFor(
  userId: Id | undefined,
  { deletedAtMs, ownerId }: Pick<StoredCommunity, 'deletedAtMs' | 'ownerId'>,
): boolean {
  return deletedAtMs === 0 || userId === ownerId;
}

interface Standing extends Place {
  readonly nowMs: number;
}

function viewerOf(
  actor: Pick<Actor, 'kind'>,
  { community: { stored }, member, isBanned, nowMs }: Standing,
): Viewer {
  if (member !== undefined) {
    return {
      kind: 'member',
      id: member.userId,
      role_ids: member.roleIds,
      is_timed_out: member.timedOutUntilMs > nowMs,
    };
  }
  if (actor.kind !== 'user' || isBanned === true) return { kind: 'visitor' };
  return { kind: 'account', may_discuss: mayDiscuss(stored) };
}

/** Whether people with an account may comment and vote without being members. */
function mayDiscuss({ visibility, join }: StoredCommunity): boolean {
  return visibility === 'public' && join === 'open';
}
