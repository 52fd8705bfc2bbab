import type { Migration } from 'kysely/migration';

/** Blocks have several sizes. The index begins again, because it can be made from the messages at any time. */
export const addBlockSizes: Migration = {
  async up(db) {
    await db.schema.dropTable('search_words').execute();
    await db.deleteFrom('search_places').execute();
    await db.schema
      .createTable('search_words')
      .addColumn('place', 'bigint', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('block', 'bigint', (column) => column.notNull())
      .addColumn('word', 'text', (column) => column.notNull())
      .addColumn('hits', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('search_words_key', ['place', 'size', 'block', 'word'])
      .execute();
  },
};
