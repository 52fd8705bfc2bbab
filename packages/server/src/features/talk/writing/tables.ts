import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createPaces } from './migrations/001-writing.ts';

const tables = {
  /** When somebody posted last in a channel with slow mode. */
  channel_paces: table({
    columns: {
      channel_id: column.id,
      user_id: column.id,
      posted_at_ms: column.moment,
    },
    key: ['channel_id', 'user_id'],
    removedWith: { channel: 'channel_id' },
    people: { user_id: { rows: 'removed' } },
  }),
};

export type ChannelPacesTable = Row<typeof tables.channel_paces>;

export const writingTables = {
  tables,
  migrations: { '001-first': createPaces },
} satisfies FeatureTables;
