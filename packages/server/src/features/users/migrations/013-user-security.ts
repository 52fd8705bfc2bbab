import type { Migration } from 'kysely/migration';

export const addUserSecurity: Migration = {
  async up(db) {
    await db.schema
      .alterTable('users')
      .addColumn('pending_email', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await db.schema
      .alterTable('users')
      .addColumn('totp_since_ms', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
