import type { Migration } from 'kysely/migration';

export const addPlaceholders: Migration = {
  async up(db) {
    await db.schema.alterTable('contents').addColumn('placeholder', 'text').execute();
  },
};
