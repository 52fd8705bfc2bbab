import type { Migration } from 'kysely/migration';

export const createModeration: Migration = {
  async up(db) {
    await db.schema
      .createTable('restrictions')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('bans')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('clients', 'text', (column) => column.notNull().unique())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('until_ms', 'bigint', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('ban_requests')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('until_ms', 'bigint', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .execute();
  },
};
