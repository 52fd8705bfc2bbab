import type { Migration } from 'kysely/migration';

export const createLinkPreviews: Migration = {
  async up(db) {
    await db.schema
      .createTable('link_previews')
      .addColumn('url_hash', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('site_name', 'text', (column) => column.notNull())
      .addColumn('picture_id', 'text', (column) => column.notNull())
      .addColumn('fetched_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('used_at_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('link_previews_key', ['url_hash'])
      .execute();
    await db.schema
      .createIndex('link_previews_age')
      .on('link_previews')
      .columns(['used_at_ms', 'url_hash'])
      .execute();
    await db.schema
      .createTable('link_preview_uses')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('subject_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('url_hash', 'text', (column) => column.notNull())
      .addColumn('is_waiting', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('link_preview_uses_key', ['kind', 'subject_id', 'url_hash'])
      .execute();
    await db.schema
      .createIndex('link_preview_uses_url')
      .on('link_preview_uses')
      .columns(['url_hash', 'is_waiting'])
      .execute();
    await db.schema
      .createIndex('link_preview_uses_channel')
      .on('link_preview_uses')
      .columns(['channel_id'])
      .execute();
  },
};
