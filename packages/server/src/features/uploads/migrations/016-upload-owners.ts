import type { Migration } from 'kysely/migration';

export const addUploadOwners: Migration = {
  async up(db) {
    const { schema } = db;
    await schema
      .alterTable('uploads')
      .addColumn('user_id', 'text', (column) => column.references('users.id'))
      .execute();
    await schema.alterTable('uploads').addColumn('key', 'text').execute();
    await schema
      .alterTable('uploads')
      .addColumn('public_uses', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await schema.createIndex('uploads_user_id').on('uploads').column('user_id').execute();
    await schema
      .createTable('user_bytes')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id'))
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .execute();
  },
};
