import type { Migration } from 'kysely/migration';

export const createSecondFactor: Migration = {
  async up(db) {
    await db.schema
      .createTable('totp')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id'))
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('new_secret', 'text', (column) => column.notNull())
      .addColumn('last_step', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('recovery_codes')
      .addColumn('code_hash', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
      .execute();
    await db.schema
      .createIndex('recovery_codes_user')
      .on('recovery_codes')
      .column('user_id')
      .execute();
  },
};
