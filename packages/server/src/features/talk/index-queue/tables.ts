import { column, table, type FeatureTables } from '../../../ports/database/table-data.ts';
import { createIndexQueue } from './migrations/001-index-queue.ts';

const tables = {
  /** Messages of channels that were changed or deleted, and that the index does not have as they are now. */
  channel_index_changes: table({
    columns: {
      channel_id: column.id,
      message_id: column.id,
    },
    key: ['channel_id', 'message_id'],
    removedWith: { channel: 'channel_id' },
    notMoved: 'the index is made from the messages',
  }),
};

export const indexQueueTables = {
  tables,
  migrations: { '001-first': createIndexQueue },
} satisfies FeatureTables;
