import type { Id } from '@hearth/protocol';
import type { StoredMember } from '../../communities/structure/structure.ts';

/** Whom a message has to mention so that it mentions a member: them, one of their roles, or everyone. */
export function subjectsOf({
  userId,
  communityId,
  roleIds,
}: Pick<StoredMember, 'userId' | 'communityId' | 'roleIds'>): readonly Id[] {
  return [userId, communityId, ...roleIds];
}
