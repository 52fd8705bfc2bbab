import {
  NotFoundError,
  ProtocolError,
  ServerError,
  type Id,
  type Invitation,
  type UserSummary,
} from '@hearth/protocol';
import { MOST_INVITING_MEMBERS } from '@hearth/protocol/schemas';
import { ANYONE, type Actor } from '../../../actor.ts';
import { selectUsableInvite } from '../../accounts/registration/registration.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import {
  accessTo,
  NOWHERE,
  describeCommunity,
  isBanned,
  readStored,
  selectMembersAfter,
  type AccessContext,
  type KnownCommunity,
} from '../structure/structure.ts';
import { requireAccessCode } from '../../accounts/moderation/moderation.ts';
import { isUsable } from './is-usable.ts';
import { mayRegister } from './may-register.ts';
import { selectInvite, type StoredInvite } from './store.ts';

/** The number of members among whom those with pictures are looked for. */
const MEMBERS_LOOKED_AT = 40;

interface Code {
  readonly code: string;
}

/**
 * Finds what everyone who has the code of an invite is shown. Throws NotFoundError, after the same queries, if it
 * cannot be used or if the caller is banned from the community.
 */
export async function findInvite(
  ctx: AccessContext & KeepsUsers,
  actor: Actor,
  { code }: Code,
): Promise<Invitation> {
  // Not as a reader: where visitors may read nothing, an invite lets them in all the same.
  await requireAccessCode(ctx, actor);
  const toServer = await findServerInvite(ctx, code);
  const toCommunity = await findCommunityInvite(ctx, actor, code);
  const invitation = toServer ?? toCommunity;
  if (invitation === undefined) throw new NotFoundError();
  return invitation;
}

async function findServerInvite(
  { database, clock, settings }: AccessContext,
  code: string,
): Promise<Invitation | undefined> {
  const invite = await selectUsableInvite(database.reader, code, clock.unixMs());
  if (invite === undefined) return undefined;
  const isOwners = invite.purpose === 'owner';
  return {
    code,
    kind: isOwners ? 'owner' : 'server',
    ...(invite.expires_at !== undefined && { expires_at: invite.expires_at }),
    registers: isOwners || settings.registration !== 'closed',
  };
}

async function findCommunityInvite(
  ctx: AccessContext & KeepsUsers,
  actor: Actor,
  code: string,
): Promise<Invitation | undefined> {
  const { reader } = ctx.database;
  const nowMs = ctx.clock.unixMs();
  const invite = await selectInvite(reader, code);
  const communityId = invite?.community_id ?? NOWHERE;
  const stored = await readStored(reader, communityId);
  const mayNot =
    actor.kind === 'account' &&
    (await isBanned(reader, { communityId, userId: actor.user_id, nowMs }));
  if (invite === undefined || stored === undefined || mayNot) return undefined;
  if (!isUsable(invite, nowMs)) return undefined;
  const community = await ctx.communities.get(communityId);
  if (community === undefined) return undefined;
  const { channel_id: channelId, expires_at_ms: expiresAtMs } = invite;
  const channel = channelId === '' ? undefined : community.channelById.get(channelId);
  const { id, slug, name, description, icon, banner, visibility, member_count, sensitive } =
    describeCommunity(stored);
  return {
    code,
    kind: 'community',
    community: {
      id,
      slug,
      name,
      visibility,
      member_count,
      ...(description !== undefined && { description }),
      ...(icon !== undefined && { icon }),
      ...(banner !== undefined && { banner }),
      ...(sensitive !== undefined && { sensitive }),
    },
    ...(await peopleOf(ctx, community, invite)),
    ...(channel?.isRestricted === false && { channel_id: channel.id }),
    ...(expiresAtMs > 0 && { expires_at: expiresAtMs }),
    registers: await mayRegister(reader, ctx, { invite, community }),
  };
}

/** The person who invites, and some members if visitors see them in any case. */
async function peopleOf(
  ctx: AccessContext & KeepsUsers,
  { stored: { id } }: KnownCommunity,
  { created_by: makerId }: StoredInvite,
): Promise<Pick<Invitation, 'created_by' | 'members'>> {
  const maker = makerId === '' ? undefined : (await ctx.users.all([makerId])).get(makerId);
  return {
    ...(maker !== undefined && maker.deleted !== true && { created_by: maker }),
    ...((await isOpenToVisitors(ctx, id)) && { members: await membersOf(ctx, id) }),
  };
}

async function isOpenToVisitors(ctx: AccessContext, communityId: Id): Promise<boolean> {
  try {
    await accessTo(ctx, ANYONE, communityId);
    return true;
  } catch (error) {
    if (error instanceof ServerError || !(error instanceof ProtocolError)) throw error;
    return false;
  }
}

/** Members with pictures before others, and the oldest accounts first. */
async function membersOf(
  { database, users }: AccessContext & KeepsUsers,
  communityId: Id,
): Promise<UserSummary[]> {
  const range = { after: undefined, limit: MEMBERS_LOOKED_AT };
  const ids = (await selectMembersAfter(database.reader, communityId, range)).map(
    ({ userId }) => userId,
  );
  const known = await users.all(ids);
  const people = ids.flatMap((id) => known.get(id) ?? []);
  const [pictured, others] = [
    people.filter(({ avatar }) => avatar !== undefined),
    people.filter(({ avatar }) => avatar === undefined),
  ];
  return [...pictured, ...others].slice(0, MOST_INVITING_MEMBERS);
}
