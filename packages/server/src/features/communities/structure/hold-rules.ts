import { compareIds, type Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { holdTurns, raiseVersions } from '../../platform/turns/turns.ts';
import { selectStructureVersion, type StoredCommunity } from './community-store.ts';
import { selectChannelIdsOf } from './channel-store.ts';

/**
 * Keeps what people may do in a community as it is until the transaction ends: what the community, its roles and its channels say,
 * and which posts are locked. Memberships are kept by their rows.
 */
export function holdRules(tx: Transaction, communityId: Id): Promise<void> {
  return tx.hold(rulesOf(communityId), 'shared');
}

/** Keeps the rules of communities in the same way. */
export async function holdAllRules(tx: Transaction, communityIds: readonly Id[]): Promise<void> {
  for (const id of communityIds.toSorted(compareIds)) await holdRules(tx, id);
}

/** Checks whether they are those that a process remembers, without keeping them; false also if the community is gone. */
export async function areKnownRules(
  tx: Transaction,
  { id, structureVersion }: Pick<StoredCommunity, 'id' | 'structureVersion'>,
): Promise<boolean> {
  return (await selectStructureVersion(tx, id)) === structureVersion;
}

/** Waits until all who hold the rules of a community are done, and keeps others from holding them until the transaction ends. */
export function waitForRules(tx: Transaction, communityId: Id): Promise<void> {
  return tx.hold(rulesOf(communityId), 'alone');
}

function rulesOf(communityId: Id): string {
  return `rules ${communityId}`;
}

/**
 * Waits until what is being written in a community that is locked is stored, and keeps everything else waiting. A member
 * who waits finds out whether they may still write, because the transaction changes their membership.
 */
export async function holdWriting(tx: Transaction, communityId: Id): Promise<void> {
  await holdAll(tx, communityId);
}

/**
 * Waits in the same way if the transaction ends what everyone may write: those who wait find another version of the
 * channel.
 */
export async function stopWriting(tx: Transaction, communityId: Id): Promise<void> {
  await raiseVersions(tx.sql, await holdAll(tx, communityId));
}

async function holdAll(tx: Transaction, communityId: Id): Promise<readonly Id[]> {
  const ids = await selectChannelIdsOf(tx.sql, communityId);
  if (ids.length > 0) await holdTurns(tx, ids);
  return ids;
}
