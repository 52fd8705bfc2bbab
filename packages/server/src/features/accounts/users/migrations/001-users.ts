import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const createUsers: Migration = {
  async up(db) {
    await createUsersTable(db);
    await createUserNames(db);
  },
};

async function createUsersTable(db: Kysely<unknown>): Promise<void> {
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
    .addColumn('pending_email', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('totp_since_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('erases_content', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('staff_permissions', 'text', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('invited_by', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('users_username').on('users').column('username').execute();
  await db.schema
    .createIndex('users_created')
    .on('users')
    .columns(['created_at_ms', 'id'])
    .execute();
  await db.schema
    .createIndex('users_staff')
    .on('users')
    .column('id')
    .where(sql.ref('staff_permissions'), '!=', '0000000000000000')
    .execute();
  await db.schema
    .createIndex('users_waiting')
    .on('users')
    .columns(['created_at_ms', 'id'])
    .where(sql.ref('state'), '=', 'pending')
    .execute();
  await db.schema
    .createIndex('users_invited')
    .on('users')
    .columns(['invited_by', 'created_at_ms', 'id'])
    .where(sql.ref('invited_by'), '!=', '')
    .execute();
}

async function createUserNames(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user_names')
    .addColumn('skeleton', 'text', (column) => column.primaryKey())
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('free_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('look_version', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('user_names_user').on('user_names').column('user_id').execute();
}
