import type { Migration } from 'kysely/migration';

/** When the newest comment of a post is deleted, the one that makes the post active from then on is found with this index alone. */
export const orderCommentsByTime: Migration = {
  async up(db) {
    await db.schema
      .createIndex('comments_activity')
      .on('comments')
      .columns(['post_id', 'created_at_ms', 'user_id'])
      .execute();
  },
};
