import type { Ban, Id, UserSummary } from '@hearth/protocol';
import type { CommunityBansTable } from '../structure/structure.ts';
import { deletedUser } from '../../accounts/users/users.ts';

export function peopleOf({ user_id: userId, created_by: by }: CommunityBansTable): readonly Id[] {
  return by === '' ? [userId] : [userId, by];
}

/** A ban, for moderators. */
export function describeBan(ban: CommunityBansTable, users: ReadonlyMap<Id, UserSummary>): Ban {
  const { user_id: id, created_by: createdBy, reason, expires_at_ms: expires_at } = ban;
  const by = createdBy === '' ? undefined : users.get(createdBy);
  return {
    user: users.get(id) ?? deletedUser(id),
    community_id: ban.community_id,
    ...(reason !== '' && { reason }),
    ...(by !== undefined && { created_by: by }),
    created_at: ban.created_at_ms,
    ...(expires_at > 0 && { expires_at }),
  };
}
