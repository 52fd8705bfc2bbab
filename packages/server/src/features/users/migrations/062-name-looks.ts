import type { Migration } from 'kysely/migration';

/** By which version of the rules a skeleton was computed; a job computes older ones again. */
export const addLookVersion: Migration = {
  async up(db) {
    await db.schema
      .alterTable('user_names')
      .addColumn('look_version', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
