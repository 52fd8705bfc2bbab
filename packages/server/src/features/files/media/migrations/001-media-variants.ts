import type { Migration } from 'kysely/migration';

export const createMediaVariants: Migration = {
  async up(db) {
    await db.schema
      .createTable('media_variants')
      .addColumn('source_key', 'text', (column) => column.notNull().references('contents.blob_key'))
      .addColumn('pixels', 'integer', (column) => column.notNull())
      .addColumn('format', 'text', (column) => column.notNull())
      .addColumn('blob_key', 'text', (column) => column.references('contents.blob_key'))
      .addPrimaryKeyConstraint('media_variants_once', ['source_key', 'pixels', 'format'])
      .execute();
    await db.schema
      .createIndex('media_variants_blob_key')
      .on('media_variants')
      .column('blob_key')
      .execute();
  },
};
