import type { Migration } from 'kysely/migration';

export const createUploads: Migration = {
  async up(db) {
    await db.schema
      .createTable('uploads')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('bucket', 'text', (column) => column.notNull())
      .addColumn('blob_key', 'text', (column) => column.notNull().references('contents.blob_key'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('spoiler', 'integer', (column) => column.notNull())
      .addColumn('uploaded_at_ms', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('uploads_blob_key').on('uploads').column('blob_key').execute();
  },
};
