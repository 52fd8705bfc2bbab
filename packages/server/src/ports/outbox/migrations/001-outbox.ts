import type { Migration } from 'kysely/migration';

export const createOutbox: Migration = {
  async up(db) {
    await db.schema
      .createTable('subjects')
      .addColumn('subject', 'text', (column) => column.primaryKey())
      .addColumn('number', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('outbox')
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('number', 'bigint', (column) => column.notNull())
      .addColumn('stream', 'text', (column) => column.notNull())
      .addColumn('entry', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('outbox_in_order', ['subject', 'number'])
      .execute();
  },
};
