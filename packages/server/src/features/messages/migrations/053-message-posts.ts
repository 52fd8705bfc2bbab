import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const addMessagePosts: Migration = {
  async up(db) {
    for (const column of ['post_id', 'kind']) {
      await db.schema
        .alterTable('channel_messages')
        .addColumn(column, 'text', (each) => each.notNull().defaultTo(''))
        .execute();
    }
    // Few messages have to do with posts.
    await db.schema
      .createIndex('channel_messages_post')
      .on('channel_messages')
      .column('post_id')
      .where(sql.ref('post_id'), '!=', '')
      .execute();
  },
};
