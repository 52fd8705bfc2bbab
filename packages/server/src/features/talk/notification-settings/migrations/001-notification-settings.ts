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
    // For channels and communities that are removed.
    for (const place of ['channel', 'community'] as const) {
      await db.schema
        .createIndex(`notification_settings_${place}`)
        .on('notification_settings')
        .column(`${place}_id`)
        .execute();
    }
  },
};
