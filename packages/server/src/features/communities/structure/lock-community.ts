import type { Id } from '@hearth/protocol';
import type { Transaction, Reader } from '../../../ports/database/database.ts';
import {
  countMembers,
  keepRow,
  lockCommunities as lockRows,
  lockCommunityRow,
  selectCommunity,
  type StoredCommunity,
} from './community-store.ts';

/** Locks a community until the transaction ends; undefined if it is not there, or was deleted. */
export async function lockCommunity(
  { sql }: Transaction,
  id: Id,
): Promise<StoredCommunity | undefined> {
  const community = await lockCommunityRow(sql, id);
  return community?.deletedAtMs === 0 ? community : undefined;
}

/**
 * Keeps a community from being removed until the transaction ends: for those who note something in its audit log. Others may change
 * it meanwhile.
 */
export function keepCommunity(tx: Transaction, id: Id): Promise<void> {
  return keepRow(tx, id);
}

/** Locks communities until the transaction ends. Returns those that are there, and were not deleted. */
export async function lockCommunities(
  { sql }: Transaction,
  ids: ReadonlySet<Id>,
): Promise<ReadonlyMap<Id, StoredCommunity>> {
  const communities = await lockRows(sql, [...ids]);
  const there = communities.filter(({ deletedAtMs }) => deletedAtMs === 0);
  return new Map(there.map((community) => [community.id, community]));
}

/** Locks a community until the transaction ends, also one that was deleted; false if it is not there. */
export async function lockEvenDeleted({ sql }: Transaction, id: Id): Promise<boolean> {
  return (await lockCommunityRow(sql, id)) !== undefined;
}

/** Counts members who joined or left a community that is locked. */
export async function countMember({ sql }: Transaction, id: Id, difference: number): Promise<void> {
  await countMembers(sql, id, difference);
}

/** A community with an up-to-date number of members, undefined if it is not there, or was deleted. */
export async function readStored(db: Reader, id: Id): Promise<StoredCommunity | undefined> {
  const community = await selectCommunity(db, id);
  return community?.deletedAtMs === 0 ? community : undefined;
}
