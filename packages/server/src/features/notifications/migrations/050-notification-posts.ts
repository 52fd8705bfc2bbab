import type { Migration } from 'kysely/migration';

export const addNotificationPosts: Migration = {
  async up(db) {
    await db.schema
      .alterTable('notifications')
      .addColumn('post_id', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  },
};
