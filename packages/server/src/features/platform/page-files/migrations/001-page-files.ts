import type { Migration } from 'kysely/migration';

export const createPageFiles: Migration = {
  async up(db) {
    await db.schema
      .createTable('page_files')
      .addColumn('build', 'text', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('started_at_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('page_files_key', ['build', 'path'])
      .execute();
    await db.schema.createIndex('page_files_path').on('page_files').column('path').execute();
  },
};
