import type { Migration } from 'kysely/migration';

export const createExports: Migration = {
  async up(db) {
    await db.schema
      .createTable('exports')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id'))
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('done', 'bigint', (column) => column.notNull())
      .addColumn('total', 'bigint', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull().unique())
      .addColumn('blob_key', 'text', (column) => column.references('contents.blob_key'))
      .addColumn('requested_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('exports_blob_key').on('exports').column('blob_key').execute();
    await db.schema.createIndex('exports_expiry').on('exports').column('expires_at_ms').execute();
  },
};
