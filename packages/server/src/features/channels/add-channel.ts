import type { Transaction } from '../../ports/database/database.ts';
import { insertChannel, type StoredChannel } from './store.ts';

type Optional = 'topic' | 'categoryId' | 'slowModeSeconds';

/** A channel that is about to be added. */
export type NewStoredChannel = Omit<StoredChannel, 'version' | 'lastId' | 'overwrites' | Optional> &
  Partial<Pick<StoredChannel, Optional>>;

/** Adds a channel to a community that is locked or new. */
export async function addChannel(tx: Transaction, channel: NewStoredChannel): Promise<void> {
  await insertChannel(tx.sql, { topic: '', categoryId: '', slowModeSeconds: 0, ...channel });
  tx.changed('communities', channel.communityId);
}
