import type { Migration } from 'kysely/migration';

export const createGuesses: Migration = {
  async up(db) {
    await db.schema
      .createTable('guesses')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('failures', 'bigint', (column) => column.notNull())
      .addColumn('last_at_ms', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('guesses_last').on('guesses').column('last_at_ms').execute();
  },
};
