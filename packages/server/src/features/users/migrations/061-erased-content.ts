import type { Migration } from 'kysely/migration';

export const addErasedContent: Migration = {
  async up(db) {
    await db.schema
      .alterTable('users')
      .addColumn('erases_content', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
