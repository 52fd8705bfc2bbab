import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createExports } from './migrations/001-exports.ts';

const tables = {
  /** The archives of people who want a copy of what the instance has of them: one of each person. */
  exports: table({
    columns: {
      user_id: column.id,
      state: column.oneOf<'working' | 'ready' | 'failed'>(),
      /** The number of parts that are in the archive, and of those that there will be. */
      done: column.number,
      total: column.number,
      /** 128 random bits, by which the archive is fetched. */
      key: column.text,
      /** Null until it is ready. */
      blob_key: column.nullable(column.text),
      requested_at_ms: column.moment,
      /** When it is removed. */
      expires_at_ms: column.moment,
    },
    key: ['user_id'],
    refersTo: ['users', 'contents'],
    people: { user_id: { rows: 'removed' } },
  }),
};

export type ExportsTable = Row<typeof tables.exports>;

export const exportsTables = {
  tables,
  migrations: { '001-first': createExports },
} satisfies FeatureTables;
