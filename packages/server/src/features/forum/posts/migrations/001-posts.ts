import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const createPosts: Migration = {
  async up(db) {
    await createPostsTable(db);
    await createPostTags(db);
    await createPostPins(db);
    await createPostFiles(db);
    await createPostSaves(db);
    await createPostVisits(db);
  },
};

async function createPostsTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('posts')
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('community_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('mentions', 'text', (column) => column.notNull())
    .addColumn('files', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('edited_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('pinned', 'integer', (column) => column.notNull())
    .addColumn('locked', 'integer', (column) => column.notNull())
    .addColumn('spoiler', 'integer', (column) => column.notNull())
    .addColumn('sensitive', 'integer', (column) => column.notNull())
    .addColumn('from_channel_id', 'text', (column) => column.notNull())
    .addColumn('from_message_id', 'text', (column) => column.notNull())
    .addColumn('crosspost_of', 'text', (column) => column.notNull())
    .addColumn('accepted_comment_id', 'text', (column) => column.notNull())
    .addColumn('upvotes', 'bigint', (column) => column.notNull())
    .addColumn('downvotes', 'bigint', (column) => column.notNull())
    .addColumn('score', 'bigint', (column) => column.notNull())
    .addColumn('hot', 'double precision', (column) => column.notNull())
    .addColumn('active', 'double precision', (column) => column.notNull())
    .addColumn('controversial', 'double precision', (column) => column.notNull())
    .addColumn('comment_count', 'bigint', (column) => column.notNull())
    .addColumn('comment_number', 'bigint', (column) => column.notNull())
    .addColumn('last_comment_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('newest_comment_id', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('newest_comment_at_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('posts_key', ['id'])
    .execute();
  const indices = {
    posts_new: ['channel_id', 'id'],
    posts_hot: ['channel_id', 'hot', 'id'],
    posts_active: ['channel_id', 'active', 'id'],
    posts_top: ['channel_id', 'score', 'id'],
    posts_controversial: ['channel_id', 'controversial', 'id'],
    posts_user: ['user_id', 'id'],
    posts_message: ['from_message_id'],
  } as const;
  for (const [name, columns] of Object.entries(indices)) {
    await db.schema
      .createIndex(name)
      .on('posts')
      .columns([...columns])
      .execute();
  }
}

async function createPostTags(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('post_tags')
    .addColumn('tag_id', 'text', (column) => column.notNull())
    .addColumn('post_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('post_tags_key', ['tag_id', 'post_id'])
    .execute();
  await db.schema.createIndex('post_tags_post').on('post_tags').columns(['post_id']).execute();
  await db.schema
    .createIndex('post_tags_channel')
    .on('post_tags')
    .columns(['channel_id'])
    .execute();
}

async function createPostPins(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('post_pins')
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('post_id', 'text', (column) => column.notNull())
    .addColumn('pinned_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('post_pins_key', ['channel_id', 'post_id'])
    .execute();
}

async function createPostFiles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('post_files')
    .addColumn('file_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('post_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('post_files_key', ['file_id'])
    .execute();
  await db.schema
    .createIndex('post_files_channel')
    .on('post_files')
    .columns(['channel_id'])
    .execute();
}

async function createPostSaves(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('post_saves')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('post_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('saved_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('post_saves_key', ['user_id', 'post_id'])
    .execute();
  await db.schema.createIndex('post_saves_post').on('post_saves').columns(['post_id']).execute();
  await db.schema
    .createIndex('post_saves_channel')
    .on('post_saves')
    .columns(['channel_id'])
    .execute();
}

async function createPostVisits(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('post_visits')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('post_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('comment_number', 'bigint', (column) => column.notNull())
    .addColumn('visited_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('post_visits_key', ['user_id', 'post_id'])
    .execute();
  await db.schema.createIndex('post_visits_post').on('post_visits').columns(['post_id']).execute();
  await db.schema
    .createIndex('post_visits_channel')
    .on('post_visits')
    .columns(['channel_id'])
    .execute();
  await db.schema
    .createIndex('post_visits_age')
    .on('post_visits')
    .columns(['user_id', 'visited_at_ms'])
    .execute();
}
