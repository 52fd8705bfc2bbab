import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const createNotifications: Migration = {
  async up(db) {
    await db.schema
      .createTable('notifications')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('community_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('post_id', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('author_id', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('read', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('sent', 'integer', (column) => column.notNull().defaultTo(1))
      .addPrimaryKeyConstraint('notifications_key', ['user_id', 'id'])
      .execute();
    // For messages and channels that are removed.
    await db.schema
      .createIndex('notifications_message')
      .on('notifications')
      .columns(['channel_id', 'id'])
      .execute();
    // There are few at a time.
    await db.schema
      .createIndex('notifications_unsent')
      .on('notifications')
      .columns(['user_id', 'id'])
      .where(sql.ref('sent'), '=', 0)
      .execute();
    await db.schema
      .createTable('notification_marks')
      .addColumn('user_id', 'text', (column) => column.primaryKey())
      .addColumn('last_read_id', 'text', (column) => column.notNull())
      .execute();
  },
};
