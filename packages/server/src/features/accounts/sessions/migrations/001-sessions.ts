import type { Migration } from 'kysely/migration';

export const createSessions: Migration = {
  async up(db) {
    await db.schema
      .createTable('sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
      .addColumn('secret_hash', 'text', (column) => column.notNull())
      .addColumn('former_hash', 'text', (column) => column.notNull())
      .addColumn('former_until_ms', 'bigint', (column) => column.notNull())
      .addColumn('client_name', 'text', (column) => column.notNull())
      .addColumn('client_platform', 'text', (column) => column.notNull())
      .addColumn('address_hint', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('ended_at_ms', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('sessions_user')
      .on('sessions')
      .columns(['user_id', 'ended_at_ms', 'last_used_at_ms'])
      .execute();
    await db.schema
      .createTable('token_keys')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('keys', 'text', (column) => column.notNull())
      .execute();
  },
};
