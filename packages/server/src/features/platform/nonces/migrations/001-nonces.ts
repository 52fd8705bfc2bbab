import type { Migration } from 'kysely/migration';

export const createNonces: Migration = {
  async up(db) {
    await db.schema
      .createTable('used_nonces')
      .addColumn('place', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('nonce', 'text', (column) => column.notNull())
      .addColumn('result_id', 'text', (column) => column.notNull())
      .addColumn('used_at_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('used_nonces_key', ['user_id', 'place', 'nonce'])
      .execute();
    await db.schema.createIndex('used_nonces_at').on('used_nonces').column('used_at_ms').execute();
    await db.schema
      .createTable('nonce_groups')
      .addColumn('place', 'text', (column) => column.notNull())
      .addColumn('last_id', 'text', (column) => column.notNull())
      .addColumn('used_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('nonces', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('nonce_groups_key', ['place', 'last_id'])
      .execute();
    await db.schema
      .createIndex('nonce_groups_at')
      .on('nonce_groups')
      .column('used_at_ms')
      .execute();
  },
};
