import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { holdTurns, raiseVersions } from '../../platform/turns/turns.ts';
import { selectChannelIdsOf } from './channel-store.ts';

/**
 * Waits until what is being written in a community that is locked is stored, and keeps everything else waiting. A member
 * who waits finds out whether they may still write, because the transaction changes their membership.
 */
export async function holdWriting(tx: Transaction, communityId: Id): Promise<void> {
  await holdAll(tx, communityId);
}

/** The same if the transaction ends what everyone may write: those who wait find another version of the channel. */
export async function stopWriting(tx: Transaction, communityId: Id): Promise<void> {
  await raiseVersions(tx.sql, await holdAll(tx, communityId));
}

async function holdAll(tx: Transaction, communityId: Id): Promise<readonly Id[]> {
  const ids = await selectChannelIdsOf(tx.sql, communityId);
  if (ids.length > 0) await holdTurns(tx, ids);
  return ids;
}
