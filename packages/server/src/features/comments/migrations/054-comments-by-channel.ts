import type { Migration } from 'kysely/migration';

/** The search reads the comments of a channel in the order of their ids. */
export const orderCommentsByChannel: Migration = {
  async up(db) {
    await db.schema.dropIndex('comments_channel').execute();
    await db.schema
      .createIndex('comments_channel')
      .on('comments')
      .columns(['channel_id', 'id'])
      .execute();
  },
};
