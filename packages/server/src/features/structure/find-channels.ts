import type { Id } from '@hearth/protocol';
import type { Reader } from '../../ports/database/database.ts';
import {
  selectChannels,
  selectLastId,
  selectLastIds,
  type StoredChannel,
} from './channel-store.ts';

export type { StoredChannel } from './channel-store.ts';

/** The channels and categories of communities, in their order in each. */
export function findChannels(
  db: Reader,
  communityIds: readonly Id[],
): Promise<readonly StoredChannel[]> {
  return selectChannels(db, communityIds);
}

/** The ids of the newest messages of the channels of communities, by the ids of the channels. */
export function findLastIds(db: Reader, communityIds: readonly Id[]): Promise<ReadonlyMap<Id, Id>> {
  return selectLastIds(db, communityIds);
}

/** The id of the newest message of a channel; undefined if there was none. */
export function findLastId(db: Reader, id: Id): Promise<Id | undefined> {
  return selectLastId(db, id);
}
