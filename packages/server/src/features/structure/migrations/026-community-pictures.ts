import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const indexPictures: Migration = {
  async up(db) {
    for (const column of ['icon', 'banner'] as const) {
      await db.schema
        .createIndex(`communities_${column}`)
        .on('communities')
        .column(column)
        .where(sql.ref(column), '!=', '')
        .execute();
    }
  },
};
