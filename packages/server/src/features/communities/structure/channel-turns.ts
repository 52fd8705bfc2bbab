import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { touchChannel } from './channel-store.ts';
import {
  lockRow,
  lockRows,
  lockRowsForMessages,
  lockRowsOf,
  raiseVersionsOf,
  updateLast,
  type LockedChannel,
  type LockedForMessages,
  type NewMessages,
} from './turn-store.ts';

// How features take a place in the order of a channel, which is locked from then on until the transaction ends.

/** Takes the number of the next event of a channel, whatever its version; undefined if it was deleted. */
export function lockChannel(tx: Transaction, id: Id): Promise<LockedChannel | undefined> {
  return lockRow(tx, id);
}

/** Locks a channel without taking a number: for those who find out then whether they have an event for one. */
export function holdChannel(tx: Transaction, id: Id): Promise<void> {
  return holdChannels(tx, [id]);
}

/** Locks several channels in the same way. */
export function holdChannels({ sql }: Transaction, ids: readonly Id[]): Promise<void> {
  return lockRows(sql, ids);
}

/**
 * Locks channels as {@link lockChannel} does, and takes a number for each of their new messages. If the first id of a channel is
 * greater than that of its newest message, the last one is the newest from then on: `lastId` is this id. Otherwise the caller gives
 * them greater ones, and notes that.
 */
export function lockChannelsFor(
  tx: Transaction,
  messages: readonly NewMessages[],
  nowMs: number,
): Promise<ReadonlyMap<Id, LockedForMessages>> {
  return lockRowsForMessages(tx, messages, nowMs);
}

/** Notes the newest message of a channel that is locked. Returns when it is written: now, but not before the one before it. */
export function setLast(
  tx: Transaction,
  id: Id,
  message: { readonly messageId: Id; readonly nowMs: number },
): Promise<number> {
  return updateLast(tx, id, message);
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
