import type { Migration } from 'kysely/migration';

/** The blocks of existing indexes are merged in the background. */
export const mergeChannelBlocks: Migration = {
  async up(db) {
    for (const name of ['merged', 'replaced', 'cleaned_block', 'version']) {
      await db.schema
        .alterTable('channel_index')
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
    }
    for (const name of ['cleaned_hits', 'reached_word']) {
      await db.schema
        .alterTable('channel_index')
        .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
        .execute();
    }
  },
};
