import type { Id } from '@hearth/protocol';
import type { Reader } from '../../ports/database/database.ts';
import { selectChannels, type StoredChannel } from './store.ts';

export type { StoredChannel } from './store.ts';

/** The channels and categories of communities, in their order in each. */
export function findChannels(
  db: Reader,
  communityIds: readonly Id[],
): Promise<readonly StoredChannel[]> {
  return selectChannels(db, communityIds);
}
