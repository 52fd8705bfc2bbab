import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { touchChannel } from './store.ts';
import {
  lockRow,
  lockRowsOf,
  nextNumberOf,
  nextNumberOfNewest,
  raiseVersionsOf,
  updateLastId,
  type LockedChannel,
  type VersionOfChannel,
} from './turn-store.ts';

// How features take a place in the order of a channel, which is locked from then on until the transaction ends.

/** Takes the number of the next event of a channel that has a version; undefined if it has another one, or was deleted. */
export function takeNumberOf(
  tx: Transaction,
  channel: VersionOfChannel,
): Promise<number | undefined> {
  return nextNumberOf(tx, channel);
}

/** The same for a new message; undefined also if its id is not greater than that of the newest one. */
export function takeNumberOfNewest(
  tx: Transaction,
  channel: VersionOfChannel,
  messageId: Id,
): Promise<number | undefined> {
  return nextNumberOfNewest(tx, channel, messageId);
}

/** Takes the number of the next event of a channel of any version; undefined if it was deleted. */
export function lockChannel(tx: Transaction, id: Id): Promise<LockedChannel | undefined> {
  return lockRow(tx, id);
}

/** Notes the newest message of a channel that is locked. */
export function setLastId({ sql }: Transaction, id: Id, messageId: Id): Promise<void> {
  return updateLastId(sql, id, messageId);
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
