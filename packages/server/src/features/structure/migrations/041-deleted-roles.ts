import type { Migration } from 'kysely/migration';

export const noteDeletedRoles: Migration = {
  async up(db) {
    await db.schema
      .alterTable('roles')
      .addColumn('deleted', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
