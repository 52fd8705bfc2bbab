import type { Migration } from 'kysely/migration';

export const addLastAt: Migration = {
  async up(db) {
    await db.schema
      .alterTable('channels')
      .addColumn('last_at_ms', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
