import type { Migration } from 'kysely/migration';

export const createKeptTimeOuts: Migration = {
  async up(db) {
    await db.schema
      .createTable('kept_time_outs')
      .addColumn('community_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('until_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('kept_time_outs_key', ['community_id', 'user_id'])
      .execute();
    for (const column of ['user_id', 'until_ms'] as const) {
      await db.schema
        .createIndex(`kept_time_outs_${column}`)
        .on('kept_time_outs')
        .column(column)
        .execute();
    }
  },
};
