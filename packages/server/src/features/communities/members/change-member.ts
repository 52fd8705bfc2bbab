import {
  compareIds,
  ForbiddenError,
  hasPermission,
  isEmptyMask,
  NotFoundError,
  PERMISSIONS,
  permissionsOf,
  userStream,
  ValidationError,
  type Id,
  type Member,
  type MemberChange,
  type Overwrite,
} from '@hearth/protocol';
import { LONGEST_TIMEOUT_MS } from '@hearth/protocol/schemas';
import type { Account } from '../../../actor.ts';
import { audit, changesOf, type Act } from '../audit/audit.ts';
import {
  holdWriting,
  inCommunity,
  memberKey,
  replaceRoles,
  requireIn,
  requireNoTimeOut,
  selectMember,
  updateMember,
  type AccessContext,
  type MemberAccess,
  type StoredMember,
} from '../structure/structure.ts';
import {
  allowedBy,
  deniedBy,
  requireAbove,
  requireAboveMember,
  requireGrants,
} from '../roles/roles.ts';
import { holdUser, type KeepsUsers } from '../../accounts/users/users.ts';
import { describeMember, describeMembership } from './describe-member.ts';
import { endLostChannels } from './end-membership.ts';
import { foldedNames } from './folded-names.ts';
import { replaceNames } from './names-store.ts';

/**
 * Changes the nickname, the roles or the time-out of a member; what makes no difference writes nothing. Throws NotFoundError if
 * there is no such member, ForbiddenError if the caller may not do this to them or with one of the roles, and ValidationError for
 * roles that the community does not have.
 */
export async function changeMember(
  ctx: AccessContext & KeepsUsers,
  actor: Account,
  {
    community_id: communityId,
    user_id: userId,
    ...change
  }: MemberChange & { readonly community_id: Id; readonly user_id: Id },
): Promise<Member> {
  const nowMs = ctx.clock.unixMs();
  const user = (await ctx.users.all([userId])).get(userId);
  const isSelf = userId === actor.user_id;
  const changing = { actor, id: communityId, isOwn: isSelf };
  return await inCommunity(ctx, changing, async (tx, access) => {
    const member = await selectMember(tx.sql, communityId, userId);
    if (user === undefined || member === undefined) throw new NotFoundError();
    const target: Target = { access, member, isSelf, nowMs };
    requireAllowed(target, change);
    const wanted = changedMember(member, change);
    if (!hasDifference(member, wanted, nowMs)) return describeMember(member, user, nowMs);
    if (change.role_ids !== undefined || change.timed_out_until !== undefined) {
      await holdWriting(tx, communityId);
    }
    const named = wanted.nickname === member.nickname ? undefined : await holdUser(tx, userId);
    await updateMember(tx.sql, wanted);
    if (named !== undefined) {
      const names = foldedNames(named, wanted.nickname);
      await replaceNames(tx.sql, userId, [{ communityId, names }]);
    }
    if (change.role_ids !== undefined) await replaceRoles(tx.sql, wanted);
    tx.changed('members', memberKey(communityId, userId));
    const changed = await selectMember(tx.sql, communityId, userId);
    if (changed === undefined) throw new Error('the member is not there');
    if (!target.isSelf) {
      await audit(tx, access.entry, changeOf({ member, changed, nowMs, reason: change.reason }));
    }
    await endLostChannels(tx, { community: access.community, member }, changed);
    const shown = describeMember(changed, user, nowMs);
    const stream = userStream(userId);
    await tx.emit({ stream, event: { op: 'MEMBER_UPDATE', d: shown } }, { subject: stream });
    return shown;
  });
}

function changedMember(member: StoredMember, change: MemberChange): StoredMember {
  const { nickname, timed_out_until: until, role_ids: roleIds } = change;
  return {
    ...member,
    nickname: nickname === undefined ? member.nickname : (nickname ?? ''),
    timedOutUntilMs: until === undefined ? member.timedOutUntilMs : (until ?? 0),
    roleIds: roleIds ?? member.roleIds,
  };
}

/** Returns whether anybody sees a difference: the order of roles means nothing, and a time-out that is over is none. */
function hasDifference(before: StoredMember, after: StoredMember, nowMs: number): boolean {
  const [was = {}, is = {}] = [before, after].map((member) =>
    describeMembership({ ...member, roleIds: member.roleIds.toSorted(compareIds) }, nowMs),
  );
  return changesOf(was, is).length > 0;
}

interface Change {
  readonly member: StoredMember;
  readonly changed: StoredMember;
  readonly nowMs: number;
  readonly reason: string | undefined;
}

/** Returns what the audit log says of it. */
function changeOf({ member, changed, nowMs, reason }: Change): Act {
  return {
    action: 'member_update',
    target: { kind: 'user', id: member.userId },
    changes: changesOf(describeMembership(member, nowMs), describeMembership(changed, nowMs)),
    reason,
  };
}

interface Target {
  readonly access: MemberAccess;
  readonly member: StoredMember;
  readonly isSelf: boolean;
  readonly nowMs: number;
}

/** Permissions to do something to others here, if one's roles are higher. */
const ACTS_ON_MEMBERS = ['MANAGE_NICKNAMES', 'MANAGE_ROLES', 'TIMEOUT'] as const;

/** Throws ForbiddenError and ValidationError. A change that makes no difference needs its permission, too. */
function requireAllowed(target: Target, change: MemberChange): void {
  const { nickname, timed_out_until: until, role_ids: roleIds } = change;
  if (nickname !== undefined) requireNickname(target);
  if (until !== undefined) requireTimeout(target, until);
  if (roleIds !== undefined) requireRoles(target, roleIds);
  if (target.isSelf) return;
  const { access, member, nowMs } = target;
  const may = ACTS_ON_MEMBERS.find((name) => hasPermission(PERMISSIONS, access.permissions, name));
  requireIn(access, may ?? 'MANAGE_NICKNAMES', nowMs);
  requireAboveMember(access, member);
}

function requireNickname({ access, isSelf, nowMs }: Target): void {
  if (hasPermission(PERMISSIONS, access.permissions, 'MANAGE_NICKNAMES')) return;
  requireIn(access, isSelf ? 'CHANGE_NICKNAME' : 'MANAGE_NICKNAMES', nowMs);
}

function requireTimeout(target: Target, until: number | null): void {
  const { access, member, nowMs } = target;
  requireIn(access, 'TIMEOUT', nowMs);
  requireAboveMember(target.access, target.member);
  if (until === null) return;
  if (until > nowMs + LONGEST_TIMEOUT_MS) {
    throw new ValidationError('timed_out_until', 'must be within 28 days');
  }
  const { community } = access;
  const viewer = { kind: 'member', id: member.userId, role_ids: member.roleIds } as const;
  const permissions = permissionsOf(viewer, community);
  if (hasPermission(PERMISSIONS, permissions, 'ADMINISTRATOR')) {
    throw new ForbiddenError({ code: 'rank_too_low' });
  }
}

function requireRoles({ access, member, isSelf, nowMs }: Target, ids: readonly Id[]): void {
  const { community } = access;
  if (isSelf) requireNoTimeOut(access, nowMs);
  else requireIn(access, 'MANAGE_ROLES', nowMs);
  for (const id of new Set(ids).symmetricDifference(new Set(member.roleIds))) {
    const role = community.roleById.get(id);
    if (role === undefined || role.position === 0) {
      throw new ValidationError('role_ids', 'must be roles of the community');
    }
    const isGiven = ids.includes(id);
    if (isSelf && !isGiven) requireNoDenial(access, id);
    if (isSelf && role.self_assignable > 0) continue;
    requireIn(access, 'MANAGE_ROLES', nowMs);
    requireAbove(access, role.position);
    requireGrants(access, isGiven ? allowedBy(community, role) : deniedBy(community, role));
  }
  if (new Set(ids).size !== ids.length)
    throw new ValidationError('role_ids', 'must be given once each');
}

/** Throws ForbiddenError if an overwrite denies something to a role: nobody may escape from that by themselves. */
function requireNoDenial({ community }: MemberAccess, roleId: Id): void {
  const overwrites = community.channelById.values().flatMap((channel) => channel.overwrites);
  const denies = ({ kind, id, deny }: Overwrite) =>
    kind === 'role' && id === roleId && !isEmptyMask(deny);
  if (overwrites.some(denies)) throw new ForbiddenError({ code: 'role_denies' });
}
