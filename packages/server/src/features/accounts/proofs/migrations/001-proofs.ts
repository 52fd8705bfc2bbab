import type { Migration } from 'kysely/migration';

export const createProofs: Migration = {
  async up(db) {
    await db.schema
      .createTable('spent_proofs')
      .addColumn('challenge', 'text', (column) => column.primaryKey())
      .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('spent_proofs_expiry')
      .on('spent_proofs')
      .column('expires_at_ms')
      .execute();
  },
};
