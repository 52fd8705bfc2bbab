import type { Migration } from 'kysely/migration';

export const createPaces: Migration = {
  async up(db) {
    await db.schema
      .createTable('channel_paces')
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('posted_at_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_paces_key', ['channel_id', 'user_id'])
      .execute();
  },
};
