import type { Migration } from 'kysely/migration';

export const createJobs: Migration = {
  async up(db) {
    await db.schema
      .createTable('jobs')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('decided_at_ms', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('due_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('error', 'text', (column) => column.notNull())
      .addColumn('leased_by', 'text', (column) => column.notNull())
      .addColumn('leased_until_ms', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('jobs_due')
      .on('jobs')
      .columns(['state', 'kind', 'due_at_ms', 'key'])
      .execute();
  },
};
