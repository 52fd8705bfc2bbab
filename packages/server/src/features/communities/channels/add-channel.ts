import type { Transaction } from '../../../ports/database/database.ts';
import { insertChannel, type StoredChannel } from '../structure/structure.ts';

type Optional = 'topic' | 'categoryId' | 'slowModeSeconds' | 'postSettings';

export type NewStoredChannel = Omit<StoredChannel, 'version' | 'lastId' | 'overwrites' | Optional> &
  Partial<Pick<StoredChannel, Optional>>;

/** Adds a channel to a community that is locked or new. */
export async function addChannel(tx: Transaction, channel: NewStoredChannel): Promise<void> {
  const usual = { topic: '', categoryId: '', slowModeSeconds: 0, postSettings: {} } as const;
  await insertChannel(tx.sql, { ...usual, ...channel });
  tx.changed('communities', channel.communityId);
}
