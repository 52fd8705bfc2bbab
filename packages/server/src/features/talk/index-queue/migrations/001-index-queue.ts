import type { Migration } from 'kysely/migration';

export const createIndexQueue: Migration = {
  async up(db) {
    await db.schema
      .createTable('search_queue')
      .addColumn('entry_id', 'text', (column) => column.notNull())
      .addColumn('note', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('search_queue_key', ['entry_id', 'note'])
      .execute();
  },
};
