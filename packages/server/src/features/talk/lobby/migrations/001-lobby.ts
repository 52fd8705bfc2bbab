import type { Migration } from 'kysely/migration';

export const createLobby: Migration = {
  async up(db) {
    await db.schema
      .createTable('message_groups')
      .addColumn('first_id', 'text', (column) => column.primaryKey())
      .addColumn('last_id', 'text', (column) => column.notNull())
      .addColumn('last_number', 'bigint', (column) => column.notNull())
      .addColumn('newest_ms', 'bigint', (column) => column.notNull())
      .addColumn('messages', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('message_groups_last_number')
      .on('message_groups')
      .column('last_number')
      .execute();
  },
};
