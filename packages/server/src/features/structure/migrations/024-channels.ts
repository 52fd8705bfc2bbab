import type { Migration } from 'kysely/migration';

export const createChannels: Migration = {
  async up(db) {
    await db.schema
      .createTable('channels')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('community_id', 'text', (column) => column.notNull().references('communities.id'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('topic', 'text', (column) => column.notNull())
      .addColumn('category_id', 'text', (column) => column.notNull())
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('slow_mode_seconds', 'integer', (column) => column.notNull())
      .addColumn('last_id', 'text', (column) => column.notNull())
      .addColumn('number', 'bigint', (column) => column.notNull())
      .addColumn('deleted_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('channels_community')
      .on('channels')
      .columns(['community_id', 'position', 'id'])
      .execute();
    await db.schema
      .createTable('channel_overwrites')
      .addColumn('channel_id', 'text', (column) => column.notNull().references('channels.id'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('subject_id', 'text', (column) => column.notNull())
      .addColumn('allow', 'bigint', (column) => column.notNull())
      .addColumn('deny', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_overwrites_key', ['channel_id', 'kind', 'subject_id'])
      .execute();
    await db.schema
      .createIndex('channel_overwrites_subject')
      .on('channel_overwrites')
      .columns(['kind', 'subject_id'])
      .execute();
  },
};
