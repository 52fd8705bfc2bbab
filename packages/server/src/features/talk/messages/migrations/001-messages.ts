import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const createChannelMessages: Migration = {
  async up(db) {
    await createMessages(db);
    await createParts(db);
  },
};

async function createMessages(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('channel_messages')
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('edited_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('reply_to', 'text', (column) => column.notNull())
    .addColumn('post_id', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('kind', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('mentions', 'text', (column) => column.notNull())
    .addColumn('files', 'text', (column) => column.notNull())
    .addColumn('reactions', 'text', (column) => column.notNull())
    .addColumn('pinned', 'integer', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_messages_key', ['channel_id', 'id'])
    .execute();
  // In the order of the ids, so that all messages of a transaction change the same page.
  await db.schema
    .createIndex('channel_messages_id')
    .on('channel_messages')
    .columns(['id', 'user_id'])
    .execute();
  // Few messages have to do with posts.
  await db.schema
    .createIndex('channel_messages_post')
    .on('channel_messages')
    .column('post_id')
    .where(sql.ref('post_id'), '!=', '')
    .execute();
  await db.schema
    .createTable('channel_message_versions')
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('replaced_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_message_versions_key', [
      'channel_id',
      'message_id',
      'version',
    ])
    .execute();
}

async function createParts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('channel_pins')
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addColumn('pinned_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_pins_key', ['channel_id', 'message_id'])
    .execute();
  await db.schema
    .createTable('channel_files')
    .addColumn('file_id', 'text', (column) => column.primaryKey())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('message_id', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('channel_files_channel_id')
    .on('channel_files')
    .column('channel_id')
    .execute();
}
