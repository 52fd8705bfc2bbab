import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Removing what belongs to a channel or community reads no other rows. */
export const indexRemovals: Migration = {
  async up(db) {
    for (const [table, column] of INDEXED) {
      await db.schema.createIndex(`${table}_${column}`).on(table).column(column).execute();
    }
    for (const table of ['communities', 'channels'] as const) {
      await db.schema
        .createIndex(`${table}_deleted`)
        .on(table)
        .column('deleted_at_ms')
        .where(sql.ref('deleted_at_ms'), '>', 0)
        .execute();
    }
  },
};

const INDEXED = [
  ['channel_reactions', 'channel_id'],
  ['channel_files', 'channel_id'],
  ['read_states', 'channel_id'],
  ['notification_settings', 'channel_id'],
  ['notification_settings', 'community_id'],
] as const;
