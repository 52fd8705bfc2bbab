import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const createSearch: Migration = {
  async up(db) {
    await createLobbyIndex(db);
    await createChannelIndex(db);
  },
};

async function createLobbyIndex(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_places')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('place', 'bigint', (column) => column.notNull())
    .addColumn('indexed_number', 'bigint', (column) => column.notNull())
    .addColumn('indexed_id', 'text', (column) => column.notNull())
    .addColumn('leased_by', 'text', (column) => column.notNull())
    .addColumn('leased_until_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('search_words')
    .addColumn('place', 'bigint', (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('block', 'bigint', (column) => column.notNull())
    .addColumn('word', 'text', (column) => column.notNull())
    .addColumn('hits', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('search_words_key', ['place', 'size', 'block', 'word'])
    .execute();
}

async function createChannelIndex(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('channel_index')
    .addColumn('channel_id', 'text', (column) => column.primaryKey())
    .addColumn('last_number', 'bigint', (column) => column.notNull())
    .addColumn('last_id', 'text', (column) => column.notNull())
    .addColumn('is_stale', 'integer', (column) => column.notNull())
    .addColumn('merged', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('replaced', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('cleaned_block', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('cleaned_hits', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('reached_word', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('version', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex('channel_index_stale')
    .on('channel_index')
    .column('is_stale')
    .execute();
  await db.schema
    .createTable('channel_index_numbers')
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_index_numbers_key', ['channel_id', 'number'])
    .execute();
  await db.schema
    .createIndex('channel_index_numbers_message')
    .on('channel_index_numbers')
    .columns(['channel_id', 'message_id'])
    .execute();
  await db.schema
    .createTable('channel_words')
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('block', 'bigint', (column) => column.notNull())
    .addColumn('word', 'text', (column) => column.notNull())
    .addColumn('hits', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_words_key', ['channel_id', 'block', 'word'])
    .execute();
}
