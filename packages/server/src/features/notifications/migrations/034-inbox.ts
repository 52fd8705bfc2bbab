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
      .addColumn('author_id', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('notifications_key', ['user_id', 'id'])
      .execute();
    // For messages and channels that are removed.
    await db.schema
      .createIndex('notifications_message')
      .on('notifications')
      .columns(['channel_id', 'id'])
      .execute();
    await db.schema
      .createTable('notification_marks')
      .addColumn('user_id', 'text', (column) => column.primaryKey())
      .addColumn('last_read_id', 'text', (column) => column.notNull())
      .execute();
  },
};
