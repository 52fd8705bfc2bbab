import type { Migration } from 'kysely/migration';

export const createMailCodes: Migration = {
  async up(db) {
    await db.schema
      .createTable('mail_codes')
      .addColumn('code_hash', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('email_key', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('mail_codes_user')
      .on('mail_codes')
      .columns(['user_id', 'purpose', 'created_at_ms'])
      .execute();
  },
};
