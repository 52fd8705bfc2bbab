import type { Id, JoinRequest, UserSummary } from '@hearth/protocol';
import { deletedUser } from '../../accounts/users/users.ts';
import type { JoinRequestsTable } from './tables.ts';

/** A request, for moderators and for the person who asks. */
export function describeRequest(
  { community_id, user_id: id, content: text, created_at_ms: created_at }: JoinRequestsTable,
  users: ReadonlyMap<Id, UserSummary>,
): JoinRequest {
  return {
    user: users.get(id) ?? deletedUser(id),
    community_id,
    ...(text !== '' && { text }),
    created_at,
  };
}
