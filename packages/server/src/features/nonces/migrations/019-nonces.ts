import type { Migration } from 'kysely/migration';

export const createUsedNonces: Migration = {
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
  },
};
