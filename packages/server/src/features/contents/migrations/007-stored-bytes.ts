import type { Migration } from 'kysely/migration';

export const createStoredBytes: Migration = {
  async up(db) {
    await db.schema
      .createTable('stored_bytes')
      .addColumn('bucket', 'text', (column) => column.primaryKey())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .execute();
  },
};
