import type { Migration } from 'kysely/migration';

export const createNotificationSettings: Migration = {
  async up(db) {
    await db.schema
      .createTable('notification_settings')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('community_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('level', 'text', (column) => column.notNull())
      .addColumn('muted_until_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('notification_settings_key', [
        'user_id',
        'community_id',
        'channel_id',
      ])
      .execute();
    // For channels that are removed.
    await db.schema
      .createIndex('notification_settings_channel')
      .on('notification_settings')
      .column('channel_id')
      .execute();
  },
};
