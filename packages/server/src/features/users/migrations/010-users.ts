import type { Migration } from 'kysely/migration';

export const createUsers: Migration = {
  async up(db) {
    await db.schema
      .createTable('users')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('display_name', 'text', (column) => column.notNull())
      .addColumn('bio', 'text', (column) => column.notNull())
      .addColumn('pronouns', 'text', (column) => column.notNull())
      .addColumn('avatar', 'text', (column) => column.notNull())
      .addColumn('banner', 'text', (column) => column.notNull())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('email_key', 'text', (column) => column.unique())
      .addColumn('email_verified_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('password_hash', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('staff_permissions', 'bigint', (column) => column.notNull())
      .addColumn('settings', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('user_names')
      .addColumn('skeleton', 'text', (column) => column.primaryKey())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
      .addColumn('free_at_ms', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('user_names_user').on('user_names').column('user_id').execute();
    await db.schema.createIndex('users_username').on('users').column('username').execute();
  },
};
