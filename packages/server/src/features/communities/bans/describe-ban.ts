import type { Ban, Id, UserSummary } from '@hearth/protocol';
import type { StoredBan } from '../structure/structure.ts';
import { deletedUser } from '../../accounts/users/users.ts';

export function peopleOf({ userId, createdBy }: StoredBan): readonly Id[] {
  return createdBy === '' ? [userId] : [userId, createdBy];
}

/** A ban, for moderators. */
export function describeBan(ban: StoredBan, users: ReadonlyMap<Id, UserSummary>): Ban {
  const { userId: id, createdBy, reason, expiresAtMs } = ban;
  const by = createdBy === '' ? undefined : users.get(createdBy);
  return {
    user: users.get(id) ?? deletedUser(id),
    community_id: ban.communityId,
    ...(reason !== '' && { reason }),
    ...(by !== undefined && { created_by: by }),
    created_at: ban.createdAtMs,
    ...(expiresAtMs > 0 && { expires_at: expiresAtMs }),
  };
}
