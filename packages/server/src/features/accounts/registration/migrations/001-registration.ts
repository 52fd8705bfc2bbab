import type { Migration } from 'kysely/migration';

export const createRegistration: Migration = {
  async up(db) {
    await db.schema
      .createTable('registration_invites')
      .addColumn('code', 'text', (column) => column.primaryKey())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('most_uses', 'bigint', (column) => column.notNull())
      .addColumn('uses', 'bigint', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('note', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('registration_invites_owner')
      .unique()
      .on('registration_invites')
      .column('purpose')
      .where('purpose', '=', 'owner')
      .execute();
    await db.schema
      .createTable('registration_requests')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id'))
      .addColumn('answer', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('registration_blocks')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull().unique())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('until_ms', 'bigint', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .execute();
  },
};
