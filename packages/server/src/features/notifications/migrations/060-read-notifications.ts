import type { Migration } from 'kysely/migration';

export const addReadNotifications: Migration = {
  async up(db) {
    await db.schema
      .alterTable('notifications')
      .addColumn('read', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
