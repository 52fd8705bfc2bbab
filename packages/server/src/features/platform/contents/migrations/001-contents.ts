import type { Migration } from 'kysely/migration';

export const createContents: Migration = {
  async up(db) {
    await db.schema
      .createTable('contents')
      .addColumn('blob_key', 'text', (column) => column.primaryKey())
      .addColumn('bucket', 'text', (column) => column.notNull())
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('size_bytes', 'bigint', (column) => column.notNull())
      .addColumn('content_type', 'text', (column) => column.notNull())
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addColumn('placeholder', 'text')
      .addUniqueConstraint('contents_once_a_bucket', ['bucket', 'sha256'])
      .execute();
    await db.schema
      .createTable('stored_bytes')
      .addColumn('bucket', 'text', (column) => column.primaryKey())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('discarded_blobs')
      .addColumn('blob_key', 'text', (column) => column.primaryKey())
      .execute();
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
