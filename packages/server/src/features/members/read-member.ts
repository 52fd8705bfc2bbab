import { compareIds, type Id } from '@hearth/protocol';
import type { Reader } from '../../ports/database/database.ts';
import { selectMember, selectMembersAfter, selectMemberships, type StoredMember } from './store.ts';

/** A membership, as it is in a transaction; undefined if the user is not a member. */
export function readMember(
  db: Reader,
  communityId: Id,
  userId: Id,
): Promise<StoredMember | undefined> {
  return selectMember(db, communityId, userId);
}

/** Members of a community after one of them, in an order of their ids. */
export function readMembersAfter(
  db: Reader,
  communityId: Id,
  page: { readonly after: Id | undefined; readonly limit: number },
): Promise<readonly StoredMember[]> {
  return selectMembersAfter(db, communityId, page);
}

/** All memberships of a user, the first one first. */
export async function readMemberships(db: Reader, userId: Id): Promise<readonly StoredMember[]> {
  const members = await selectMemberships(db, userId);
  return members.toSorted(
    (one, other) =>
      one.joinedAtMs - other.joinedAtMs || compareIds(one.communityId, other.communityId),
  );
}
