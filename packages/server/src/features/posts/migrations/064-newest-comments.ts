import type { Migration } from 'kysely/migration';

/** Comments that were written before follow each other by their numbers alone. */
export const addNewestComments: Migration = {
  async up(db) {
    await db.schema
      .alterTable('posts')
      .addColumn('newest_comment_id', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await db.schema
      .alterTable('posts')
      .addColumn('newest_comment_at_ms', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
