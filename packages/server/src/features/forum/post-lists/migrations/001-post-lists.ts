import type { Migration } from 'kysely/migration';

export const createPostOrders: Migration = {
  async up(db) {
    await db.schema
      .createTable('post_orders')
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('list', 'text', (column) => column.notNull())
      .addColumn('posts', 'text', (column) => column.notNull())
      .addColumn('made_at_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('post_orders_key', ['key'])
      .execute();
    await db.schema
      .createIndex('post_orders_list')
      .on('post_orders')
      .columns(['list', 'made_at_ms'])
      .execute();
    await db.schema
      .createIndex('post_orders_age')
      .on('post_orders')
      .columns(['made_at_ms'])
      .execute();
    await db.schema
      .createTable('post_period_lists')
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('sort', 'text', (column) => column.notNull())
      .addColumn('period', 'text', (column) => column.notNull())
      .addColumn('posts', 'text', (column) => column.notNull())
      .addColumn('made_at_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('post_period_lists_key', ['channel_id', 'sort', 'period'])
      .execute();
    await db.schema
      .createIndex('post_period_lists_age')
      .on('post_period_lists')
      .columns(['made_at_ms'])
      .execute();
  },
};
