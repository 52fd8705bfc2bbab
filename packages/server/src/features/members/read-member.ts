import type { Id } from '@hearth/protocol';
import type { Reader } from '../../ports/database/database.ts';
import { selectMember, type StoredMember } from './store.ts';

/** A membership, as it is in a transaction; undefined if the user is not a member. */
export function readMember(
  db: Reader,
  communityId: Id,
  userId: Id,
): Promise<StoredMember | undefined> {
  return selectMember(db, communityId, userId);
}
