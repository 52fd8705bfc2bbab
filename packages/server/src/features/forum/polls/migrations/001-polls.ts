import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const createPolls: Migration = {
  async up(db) {
    await createPollsTable(db);
    await createPollVotes(db);
  },
};

async function createPollsTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('polls')
    .addColumn('post_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('options', 'text', (column) => column.notNull())
    .addColumn('multiple', 'integer', (column) => column.notNull())
    .addColumn('ends_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('voters', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('polls_key', ['post_id'])
    .execute();
  await db.schema.createIndex('polls_channel').on('polls').columns(['channel_id']).execute();
}

async function createPollVotes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('poll_votes')
    .addColumn('post_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('options', 'text', (column) => column.notNull())
    .addColumn('voted_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('poll_votes_key', ['post_id', 'user_id'])
    .execute();
  await db.schema.createIndex('poll_votes_user').on('poll_votes').columns(['user_id']).execute();
  await db.schema
    .createIndex('poll_votes_channel')
    .on('poll_votes')
    .columns(['channel_id'])
    .execute();
}
