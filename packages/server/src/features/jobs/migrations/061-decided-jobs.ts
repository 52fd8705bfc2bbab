import type { Migration } from 'kysely/migration';

export const addDecidedJobs: Migration = {
  async up(db) {
    await db.schema
      .alterTable('jobs')
      .addColumn('decided_at_ms', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
