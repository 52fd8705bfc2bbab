import { column, table, type FeatureTables } from '../../../ports/database/table-data.ts';
import { createReadStates } from './migrations/001-read-states.ts';

const tables = {
  /**
   * The point up to which members have read each channel that they have opened. Nothing but the mark changes, and no
   * index has it, so that PostgreSQL can replace a row within its page.
   */
  read_states: table({
    columns: {
      user_id: column.id,
      /** Empty outside of communities. */
      community_id: column.optionalId,
      channel_id: column.id,
      last_read_id: column.id,
    },
    key: ['user_id', 'community_id', 'channel_id'],
    removedWith: { channel: 'channel_id' },
    people: { user_id: { rows: 'removed' } },
  }),
};

export const readStatesTables = {
  tables,
  migrations: { '001-first': createReadStates },
} satisfies FeatureTables;
