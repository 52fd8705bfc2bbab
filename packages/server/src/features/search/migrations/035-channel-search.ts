import type { Migration } from 'kysely/migration';

export const createChannelSearch: Migration = {
  async up(db) {
    await db.schema
      .createTable('channel_index')
      .addColumn('channel_id', 'text', (column) => column.primaryKey())
      .addColumn('last_number', 'bigint', (column) => column.notNull())
      .addColumn('last_id', 'text', (column) => column.notNull())
      .addColumn('is_stale', 'integer', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('channel_index_stale')
      .on('channel_index')
      .column('is_stale')
      .execute();
    await db.schema
      .createTable('channel_index_numbers')
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('number', 'bigint', (column) => column.notNull())
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_index_numbers_key', ['channel_id', 'number'])
      .execute();
    await db.schema
      .createIndex('channel_index_numbers_message')
      .on('channel_index_numbers')
      .columns(['channel_id', 'message_id'])
      .execute();
    await db.schema
      .createTable('channel_index_changes')
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_index_changes_key', ['channel_id', 'message_id'])
      .execute();
    await db.schema
      .createTable('channel_words')
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('block', 'bigint', (column) => column.notNull())
      .addColumn('word', 'text', (column) => column.notNull())
      .addColumn('hits', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_words_key', ['channel_id', 'block', 'word'])
      .execute();
  },
};
