import type { Migration } from 'kysely/migration';

export const createTurns: Migration = {
  async up(db) {
    await db.schema
      .createTable('turns')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('number', 'bigint', (column) => column.notNull())
      .addColumn('last_id', 'text', (column) => column.notNull())
      .addColumn('last_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .addColumn('closed', 'integer', (column) => column.notNull())
      .execute();
  },
};
