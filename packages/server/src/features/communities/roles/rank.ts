import { ForbiddenError } from '@hearth/protocol';
import type { MemberAccess } from '../structure/structure.ts';

/** The position of somebody's highest role; the owner is above all roles. */
export function rankOf({ community, member }: Pick<MemberAccess, 'community' | 'member'>): number {
  if (member.userId === community.stored.ownerId) return Infinity;
  const positions = member.roleIds.map((id) => community.roleById.get(id)?.position ?? 0);
  return Math.max(0, ...positions);
}

/** Throws ForbiddenError unless the caller's highest role is above a position. */
export function requireAbove(access: MemberAccess, position: number): void {
  if (rankOf(access) <= position) throw new ForbiddenError({ code: 'rank_too_low' });
}

/** Throws ForbiddenError unless the caller's highest role is above those of another member. */
export function requireAboveMember(access: MemberAccess, member: MemberAccess['member']): void {
  requireAbove(access, rankOf({ community: access.community, member }));
}
