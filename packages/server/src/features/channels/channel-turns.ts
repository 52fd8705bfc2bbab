import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { touchChannel } from './store.ts';
import {
  lockRow,
  lockRowForMessage,
  lockRowsOf,
  raiseVersionsOf,
  updateLastId,
  type LockedChannel,
} from './turn-store.ts';

// How features take a place in the order of a channel, which is locked from then on until the transaction ends.

/** Takes the number of the next event of a channel, whatever its version; undefined if it was deleted. */
export function lockChannel(tx: Transaction, id: Id): Promise<LockedChannel | undefined> {
  return lockRow(tx, id);
}

/**
 * The same for a new message. If its id is greater than that of the newest one, it is the newest from then on: `lastId` is this
 * id. Otherwise the caller gives it a greater one, and notes that.
 */
export function lockChannelFor(
  tx: Transaction,
  id: Id,
  messageId: Id,
): Promise<LockedChannel | undefined> {
  return lockRowForMessage(tx, id, messageId);
}

/** Notes the newest message of a channel that is locked. */
export function setLastId(tx: Transaction, id: Id, messageId: Id): Promise<void> {
  return updateLastId(tx, id, messageId);
}

/** Raises the version of a channel, so that a process that remembers another one finds out what is true. */
export function raiseVersion({ sql }: Transaction, id: Id): Promise<void> {
  return touchChannel(sql, id);
}

/**
 * Waits until what is being written in a community that is locked is stored, and keeps everything else waiting. A member
 * who waits finds out whether they may still write, because the transaction changes their membership.
 */
export function holdWriting({ sql }: Transaction, communityId: Id): Promise<void> {
  return lockRowsOf(sql, communityId);
}

/** The same if the transaction ends what everyone may write: those who wait find another version of the channel. */
export async function stopWriting({ sql }: Transaction, communityId: Id): Promise<void> {
  await lockRowsOf(sql, communityId);
  await raiseVersionsOf(sql, communityId);
}
