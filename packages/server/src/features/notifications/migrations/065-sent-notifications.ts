import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const addSentNotifications: Migration = {
  async up(db) {
    // Those that are there were sent when they were stored.
    await db.schema
      .alterTable('notifications')
      .addColumn('sent', 'integer', (column) => column.notNull().defaultTo(1))
      .execute();
    // There are few at a time.
    await db.schema
      .createIndex('notifications_unsent')
      .on('notifications')
      .columns(['user_id', 'id'])
      .where(sql.ref('sent'), '=', 0)
      .execute();
  },
};
