import { compareIds, ForbiddenError, type Id } from '@hearth/protocol';
import type { Reader, Transaction } from '../../../ports/database/database.ts';
import {
  hasVersion,
  selectMember,
  selectMembers,
  selectMembersAfter,
  selectMemberships,
  selectMembersWith,
  type MembersWith,
  type StoredMember,
} from './member-store.ts';
import { holdVersionsOf, type HeldVersion } from './versions-store.ts';

/** A membership, as it is in a transaction; undefined if the user is not a member. */
export function readMember(
  db: Reader,
  communityId: Id,
  userId: Id,
): Promise<StoredMember | undefined> {
  return selectMember(db, communityId, userId);
}

/** Whether somebody is still the member that they were, in a transaction. */
export function isUnchanged(tx: Transaction, member: StoredMember): Promise<boolean> {
  return hasVersion(tx, member);
}

/** Keeps memberships as they are until the transaction ends. Returns the versions of those that there are. */
export function holdVersions(
  tx: Transaction,
  people: readonly Pick<StoredMember, 'communityId' | 'userId'>[],
): Promise<readonly HeldVersion[]> {
  return holdVersionsOf(tx, people);
}

/** Throws ForbiddenError if somebody who was a member is none any more, as a transaction finds it. */
export async function requireStillMember(tx: Transaction, member: StoredMember): Promise<void> {
  if (await isUnchanged(tx, member)) return;
  const now = await readMember(tx.sql, member.communityId, member.userId);
  if (now === undefined) throw new ForbiddenError({ code: 'not_member' });
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

/** Those of the users who are members, in no order. */
export function readMembers(
  db: Reader,
  communityId: Id,
  userIds: readonly Id[],
): Promise<readonly StoredMember[]> {
  return selectMembers(db, communityId, userIds);
}

/** Members of a community: those with one of these roles, or any, in an order of their ids. */
export function findMembersWith(
  db: Reader,
  communityId: Id,
  wanted: MembersWith,
): Promise<readonly Id[]> {
  return selectMembersWith(db, communityId, wanted);
}
