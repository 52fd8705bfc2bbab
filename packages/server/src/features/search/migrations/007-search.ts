import type { Migration } from 'kysely/migration';

export const createSearchIndex: Migration = {
  async up(db) {
    await db.schema
      .createTable('search_places')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('place', 'bigint', (column) => column.notNull())
      .addColumn('indexed_number', 'bigint', (column) => column.notNull())
      .addColumn('indexed_id', 'text', (column) => column.notNull())
      .addColumn('leased_by', 'text', (column) => column.notNull())
      .addColumn('leased_until_ms', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('search_words')
      .addColumn('place', 'bigint', (column) => column.notNull())
      .addColumn('block', 'bigint', (column) => column.notNull())
      .addColumn('word', 'text', (column) => column.notNull())
      .addColumn('hits', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('search_words_key', ['place', 'block', 'word'])
      .execute();
  },
};
