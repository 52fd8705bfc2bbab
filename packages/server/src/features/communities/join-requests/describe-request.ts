import type { Id, JoinRequest, UserSummary } from '@hearth/protocol';
import type { StoredRequest } from './store.ts';
import { deletedUser } from '../../accounts/users/users.ts';

/** A request, for moderators and for the person who asks. */
export function describeRequest(
  { communityId, userId: id, text, createdAtMs }: StoredRequest,
  users: ReadonlyMap<Id, UserSummary>,
): JoinRequest {
  return {
    user: users.get(id) ?? deletedUser(id),
    community_id: communityId,
    ...(text !== '' && { text }),
    created_at: createdAtMs,
  };
}
