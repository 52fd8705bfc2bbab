import type { Member, Membership, UserSummary } from '@hearth/protocol';
import type { StoredMember } from '../structure/structure.ts';

/** Returns what a membership says besides who and where. */
export function describeMembership(member: StoredMember, nowMs: number): Membership {
  return {
    ...(member.nickname !== '' && { nickname: member.nickname }),
    role_ids: [...member.roleIds],
    joined_at: member.joinedAtMs,
    ...(member.timedOutUntilMs > nowMs && { timed_out_until: member.timedOutUntilMs }),
    version: member.version,
  };
}

export function describeMember(member: StoredMember, user: UserSummary, nowMs: number): Member {
  return { user, community_id: member.communityId, ...describeMembership(member, nowMs) };
}
