import type { Migration } from 'kysely/migration';

export const createSearch: Migration = {
  async up(db) {
    await db.schema
      .createTable('search_state')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('index_number', 'bigint', (column) => column.notNull())
      .addColumn('complete_number', 'bigint', (column) => column.notNull())
      .addColumn('last_id', 'text', (column) => column.notNull())
      .addColumn('last_block', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('search_blocks')
      .addColumn('block', 'bigint', (column) => column.primaryKey())
      .addColumn('index_number', 'bigint', (column) => column.notNull())
      .addColumn('first_id', 'text', (column) => column.notNull())
      .addColumn('positions', 'bigint', (column) => column.notNull())
      .addColumn('outdated', 'bigint', (column) => column.notNull())
      .addColumn('has_lobby', 'integer', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('search_blocks_order')
      .on('search_blocks')
      .columns(['index_number', 'first_id', 'block'])
      .execute();
    await db.schema
      .createTable('search_entries')
      .addColumn('block', 'bigint', (column) => column.notNull())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('entry_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('outdated', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('search_entries_key', ['block', 'position'])
      .execute();
    await db.schema
      .createIndex('search_entries_id')
      .on('search_entries')
      .columns(['block', 'entry_id'])
      .execute();
    await db.schema
      .createTable('search_words')
      .addColumn('block', 'bigint', (column) => column.notNull())
      .addColumn('word', 'text', (column) => column.notNull())
      .addColumn('hits', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('search_words_key', ['block', 'word'])
      .execute();
  },
};
