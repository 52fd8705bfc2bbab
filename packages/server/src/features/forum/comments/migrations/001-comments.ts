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
    const indices = {
      comments_new: ['post_id', 'parent_id', 'number'],
      comments_top: ['post_id', 'parent_id', 'score', 'number'],
      comments_controversial: ['post_id', 'parent_id', 'controversial', 'number'],
      comments_user: ['user_id', 'id'],
      // The search reads the comments of a channel in the order of their ids.
      comments_channel: ['channel_id', 'id'],
      // If the newest comment of a post is deleted, this alone finds the one that makes the post active from then on.
      comments_activity: ['post_id', 'created_at_ms', 'user_id'],
    } as const;
    for (const [name, columns] of Object.entries(indices)) {
      await db.schema
        .createIndex(name)
        .on('comments')
        .columns([...columns])
        .execute();
    }
  },
};
