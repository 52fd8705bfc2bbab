import type { Id } from '@hearth/protocol';
import type { Reader, Transaction } from '../../ports/database/database.ts';
import {
  deleteChannelRow,
  selectChannelIds,
  selectDeletedChannels,
} from './deleted-channel-store.ts';

/** A channel, and its community. */
export interface DeletedChannel {
  readonly communityId: Id;
  readonly channelId: Id;
}

/** The channels that were deleted before a moment, the first one first. */
export function findDeletedChannels(
  db: Reader,
  page: { readonly beforeMs: number; readonly limit: number },
): Promise<readonly DeletedChannel[]> {
  return selectDeletedChannels(db, page);
}

/** All channels that a community has, or had and that are not removed yet. */
export function findChannelIds(db: Reader, communityId: Id): Promise<readonly Id[]> {
  return selectChannelIds(db, communityId);
}

/** Removes a deleted channel of which nothing else is left. */
export async function removeChannel({ sql }: Transaction, id: Id): Promise<void> {
  await deleteChannelRow(sql, id);
}
