import type { Migration } from 'kysely/migration';

export const createMentions: Migration = {
  async up(db) {
    await db.schema
      .createTable('channel_mentions')
      .addColumn('subject_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_mentions_key', ['subject_id', 'channel_id', 'message_id'])
      .execute();
    await db.schema
      .createIndex('channel_mentions_message')
      .on('channel_mentions')
      .columns(['channel_id', 'message_id'])
      .execute();
  },
};
