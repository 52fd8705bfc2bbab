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
  },
};
