import { compareIds, ForbiddenError, type Id } from '@hearth/protocol';
import type { Reader, Transaction } from '../../../ports/database/database.ts';
import { hasVersion, selectMember, selectMemberships, type StoredMember } from './member-store.ts';

/** Throws ForbiddenError if somebody who was a member is none any more, as a transaction finds it. */
export async function requireStillMember(tx: Transaction, member: StoredMember): Promise<void> {
  if (await hasVersion(tx, member)) return;
  const now = await selectMember(tx.sql, member.communityId, member.userId);
  if (now === undefined) throw new ForbiddenError({ code: 'not_member' });
}

/** All memberships of a user, the first one first. */
export async function readMemberships(db: Reader, userId: Id): Promise<readonly StoredMember[]> {
  const members = await selectMemberships(db, userId);
  return members.toSorted(
    (one, other) =>
      one.joinedAtMs - other.joinedAtMs || compareIds(one.communityId, other.communityId),
  );
}
