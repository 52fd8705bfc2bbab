import {
  ForbiddenError,
  hasPermission,
  NO_PERMISSION,
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
import type { User } from '../../actor.ts';
import { audit, type Act } from '../audit/audit.ts';
import { changesOf } from '../audit/changes-of.ts';
import { holdWriting } from '../channels/channel-turns.ts';
import { requireIn } from '../communities/access.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { inCommunity, type MemberAccess } from '../communities/in-community.ts';
import { requireAbove, requireAboveMember } from '../roles/rank.ts';
import { holdUser } from '../users/hold-active-user.ts';
import { describeMember, describeMembership } from './describe-member.ts';
import { endLostChannels } from './end-membership.ts';
import { foldedNames } from './folded-names.ts';
import { memberKey } from './known-members.ts';
import { replaceNames } from './names-store.ts';
import { replaceRoles } from './member-roles-store.ts';
import { selectMember, updateMember, type StoredMember } from './store.ts';

/**
 * Changes the nickname, the roles or the time-out of a member. Throws NotFoundError if there is no such member, ForbiddenError
 * if the caller may not do this to them or with one of the roles, and ValidationError for roles that the community does not have.
 */
export async function changeMember(
  ctx: CommunityContext,
  actor: User,
  {
    community_id: communityId,
    user_id: userId,
    ...change
  }: MemberChange & { readonly community_id: Id; readonly user_id: Id },
): Promise<Member> {
  const nowMs = ctx.clock.unixMs();
  const user = (await ctx.users.all([userId])).get(userId);
  return await inCommunity(ctx, { actor, id: communityId }, async (tx, access) => {
    const member = await selectMember(tx.sql, communityId, userId);
    if (user === undefined || member === undefined) throw new NotFoundError();
    const target: Target = { access, member, isSelf: userId === actor.user_id, nowMs };
    if (change.nickname !== undefined) requireNickname(target);
    if (change.timed_out_until !== undefined) requireTimeout(target, change.timed_out_until);
    if (change.role_ids !== undefined) requireRoles(target, change.role_ids);
    // Before the membership, as for a new display name.
    const named = change.nickname === undefined ? undefined : await holdUser(tx, userId);
    await updateMember(tx.sql, {
      communityId,
      userId,
      nickname: change.nickname === undefined ? member.nickname : (change.nickname ?? ''),
      timedOutUntilMs:
        change.timed_out_until === undefined
          ? member.timedOutUntilMs
          : (change.timed_out_until ?? 0),
    });
    if (named !== undefined) {
      const names = foldedNames(named, change.nickname ?? '');
      await replaceNames(tx.sql, userId, [{ communityId, names }]);
    }
    if (change.role_ids !== undefined) {
      await replaceRoles(tx.sql, { communityId, userId, roleIds: change.role_ids });
    }
    tx.changed('members', memberKey(communityId, userId));
    const changed = await selectMember(tx.sql, communityId, userId);
    if (changed === undefined) throw new Error('the member is not there');
    const act = changeOf({ member, changed, nowMs, reason: change.reason });
    if (!target.isSelf && act.changes?.length !== 0) await audit(tx, access.entry, act);
    if (change.role_ids !== undefined || change.timed_out_until !== undefined) {
      await holdWriting(tx, communityId);
    }
    await endLostChannels(tx, { community: access.community, member }, changed);
    const shown = describeMember(changed, user, nowMs);
    const stream = userStream(userId);
    await tx.emit({ stream, event: { op: 'MEMBER_UPDATE', d: shown } }, { subject: stream });
    return shown;
  });
}

interface Change {
  readonly member: StoredMember;
  readonly changed: StoredMember;
  readonly nowMs: number;
  readonly reason: string | undefined;
}

/** What the audit log says of it. */
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

function requireNickname(target: Target): void {
  const { access, isSelf, nowMs } = target;
  if (isSelf && hasPermission(PERMISSIONS, access.permissions, 'CHANGE_NICKNAME')) return;
  requireIn(access, 'MANAGE_NICKNAMES', nowMs);
  if (!isSelf) requireAboveMember(target.access, target.member);
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
  const { roleById } = access.community;
  const changed = new Set(ids).symmetricDifference(new Set(member.roleIds));
  const mayManage = hasPermission(PERMISSIONS, access.permissions, 'MANAGE_ROLES');
  for (const id of changed) {
    const role = roleById.get(id);
    if (role === undefined || role.position === 0) {
      throw new ValidationError('role_ids', 'must be roles of the community');
    }
    if (isSelf && !ids.includes(id)) requireNoDenial(access, id);
    if (isSelf && role.isSelfAssignable) continue;
    if (!mayManage) requireIn(access, 'MANAGE_ROLES', nowMs);
    requireAbove(access, role.position);
  }
  if (new Set(ids).size !== ids.length)
    throw new ValidationError('role_ids', 'must be given once each');
  if (changed.size > 0 && !isSelf) requireAboveMember(access, member);
}

/** Throws ForbiddenError if an overwrite denies something to a role: nobody may escape from that by themselves. */
function requireNoDenial({ community }: MemberAccess, roleId: Id): void {
  const overwrites = community.channelById.values().flatMap((channel) => channel.overwrites);
  const denies = ({ kind, id, deny }: Overwrite) =>
    kind === 'role' && id === roleId && deny !== NO_PERMISSION;
  if (overwrites.some(denies)) throw new ForbiddenError({ code: 'role_denies' });
}
