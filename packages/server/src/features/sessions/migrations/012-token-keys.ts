import type { Migration } from 'kysely/migration';

export const createTokenKeys: Migration = {
  async up(db) {
    await db.schema
      .createTable('token_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('keys', 'text', (column) => column.notNull())
      .execute();
  },
};
