import type { Migration } from 'kysely/migration';

export const addStructureVersions: Migration = {
  async up(db) {
    await db.schema
      .alterTable('communities')
      .addColumn('structure_version', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
