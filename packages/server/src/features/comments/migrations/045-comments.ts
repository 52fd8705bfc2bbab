import type { Migration } from 'kysely/migration';

export const createComments: Migration = {
  async up(db) {
    await db.schema
      .createTable('comments')
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('post_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('community_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('number', 'bigint', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('parent_id', 'text', (column) => column.notNull())
      .addColumn('depth', 'integer', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('mentions', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('edited_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('deleted_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('upvotes', 'bigint', (column) => column.notNull())
      .addColumn('downvotes', 'bigint', (column) => column.notNull())
      .addColumn('score', 'bigint', (column) => column.notNull())
      .addColumn('controversial', 'double precision', (column) => column.notNull())
      .addColumn('reply_count', 'bigint', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('comments_key', ['id'])
      .execute();
    await db.schema
      .createIndex('comments_path')
      .unique()
      .on('comments')
      .columns(['post_id', 'path'])
      .execute();
    await db.schema
      .createIndex('comments_new')
      .on('comments')
      .columns(['post_id', 'parent_id', 'number'])
      .execute();
    await db.schema
      .createIndex('comments_top')
      .on('comments')
      .columns(['post_id', 'parent_id', 'score', 'number'])
      .execute();
    await db.schema
      .createIndex('comments_controversial')
      .on('comments')
      .columns(['post_id', 'parent_id', 'controversial', 'number'])
      .execute();
    await db.schema
      .createIndex('comments_user')
      .on('comments')
      .columns(['user_id', 'id'])
      .execute();
    await db.schema
      .createIndex('comments_channel')
      .on('comments')
      .columns(['channel_id'])
      .execute();
  },
};
