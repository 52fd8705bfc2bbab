import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createIndexQueue } from './migrations/001-index-queue.ts';

/** Messages of channels that were changed or deleted, and that the index does not have as they are now. */
interface ChannelIndexChangesTable {
  channel_id: Id;
  message_id: Id;
}

/** The tables of this feature. */
export interface IndexQueueTables {
  channel_index_changes: ChannelIndexChangesTable;
}

export const indexQueueTables: FeatureTables<IndexQueueTables> = {
  tables: {
    channel_index_changes: {
      columns: { channel_id: 'id', message_id: 'id' },
      key: ['channel_id', 'message_id'],
      removedWith: { channel: 'channel_id' },
      notMoved: 'the index is made from the messages',
    },
  },
  migrations: { '001-first': createIndexQueue },
};
