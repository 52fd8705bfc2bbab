import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { countMembers, lockCommunity as lockRow, type StoredCommunity } from './store.ts';

/** Locks a community until the transaction ends; undefined if it is not there, or was deleted. */
export async function lockCommunity(
  { sql }: Transaction,
  id: Id,
): Promise<StoredCommunity | undefined> {
  const community = await lockRow(sql, id);
  return community?.deletedAtMs === 0 ? community : undefined;
}

/** Locks a community until the transaction ends, also one that was deleted; false if it is not there. */
export async function lockEvenDeleted({ sql }: Transaction, id: Id): Promise<boolean> {
  return (await lockRow(sql, id)) !== undefined;
}

/** Counts a member who joined or left a community that is locked. */
export async function countMember({ sql }: Transaction, id: Id, difference: 1 | -1): Promise<void> {
  await countMembers(sql, id, difference);
}
