import type { Migration } from 'kysely/migration';

export const addPostSettings: Migration = {
  async up(db) {
    await db.schema
      .alterTable('channels')
      .addColumn('post_settings', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  },
};
