import type { Migration } from 'kysely/migration';

export const createReadStates: Migration = {
  async up(db) {
    await db.schema
      .createTable('read_states')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('community_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('last_read_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('read_states_key', ['user_id', 'community_id', 'channel_id'])
      .execute();
    // For channels that are removed.
    await db.schema
      .createIndex('read_states_channel')
      .on('read_states')
      .column('channel_id')
      .execute();
  },
};
