import type { Migration } from 'kysely/migration';

export const createIndexQueue: Migration = {
  async up(db) {
    await db.schema
      .createTable('channel_index_changes')
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_index_changes_key', ['channel_id', 'message_id'])
      .execute();
  },
};
