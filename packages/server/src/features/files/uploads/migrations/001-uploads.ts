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
      .addColumn('user_id', 'text', (column) => column.references('users.id'))
      .addColumn('key', 'text')
      .addColumn('public_uses', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('hidden_uses', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    for (const column of ['blob_key', 'user_id'] as const) {
      await db.schema.createIndex(`uploads_${column}`).on('uploads').column(column).execute();
    }
    await db.schema
      .createTable('user_bytes')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id'))
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .execute();
  },
};
