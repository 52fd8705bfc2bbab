import type { Migration } from 'kysely/migration';

export const createChanges: Migration = {
  async up(db) {
    await db.schema
      .createTable('changes')
      .addColumn('number', 'bigint', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .execute();
  },
};
