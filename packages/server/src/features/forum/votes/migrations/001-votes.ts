import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const createVotes: Migration = {
  async up(db) {
    await db.schema
      .createTable('votes')
      .addColumn('subject_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('community_id', 'text', (column) => column.notNull())
      .addColumn('author_id', 'text', (column) => column.notNull())
      .addColumn('value', 'integer', (column) => column.notNull())
      .addColumn('points', 'bigint', (column) => column.notNull())
      .addColumn('cast_at_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('votes_key', ['subject_id', 'user_id'])
      .execute();
    // Only those that give points are looked for by their author.
    await db.schema
      .createIndex('votes_pair')
      .on('votes')
      .columns(['user_id', 'author_id', 'cast_at_ms'])
      .where(sql.ref('points'), '>', 0)
      .execute();
    await db.schema
      .createIndex('votes_author')
      .on('votes')
      .columns(['community_id', 'author_id'])
      .where(sql.ref('points'), '>', 0)
      .execute();
    // Only a community that is removed needs it. New votes of a community change the same page.
    await db.schema.createIndex('votes_community').on('votes').column('community_id').execute();
  },
};
