import type { Migration } from 'kysely/migration';

export const createStatics: Migration = {
  async up(db) {
    await db.schema
      .createTable('statics')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('blob_key', 'text', (column) => column.notNull().references('contents.blob_key'))
      .addColumn('content_type', 'text', (column) => column.notNull())
      .addColumn('added_at_ms', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('statics_blob_key').on('statics').column('blob_key').execute();
  },
};
