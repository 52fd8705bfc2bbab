import type { Id, UserSummary } from '@hearth/protocol';

/** How somebody is shown who has deleted their account. */
export function deletedUser(id: Id): UserSummary {
  return { id, username: 'deleted', deleted: true };
}
