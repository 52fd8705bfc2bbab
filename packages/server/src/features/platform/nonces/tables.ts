import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createNonces } from './migrations/001-nonces.ts';

const tables = {
  /** Nonces of the last ten minutes, each with what was created with it, by whom and where. */
  used_nonces: table({
    columns: {
      /** The place where it was created, as the name of a stream, such as `lobby`. */
      place: column.text,
      user_id: column.id,
      nonce: column.text,
      /** The identifier of what was created. */
      result_id: column.id,
      used_at_ms: column.moment,
    },
    key: ['user_id', 'place', 'nonce'],
    people: { user_id: { rows: 'removed' } },
  }),
  /**
   * Nonces whose results were stored together: one row, because a row for each costs more than the message. They are only
   * read all at once, for a bus that has lost them.
   */
  nonce_groups: table({
    columns: {
      place: column.text,
      /** The identifier of what was created last. */
      last_id: column.id,
      /** When the newest was used. */
      used_at_ms: column.moment,
      /** A JSON array with three texts for each: the person, the nonce, and the identifier of what was created. */
      nonces: column.text,
    },
    key: ['place', 'last_id'],
    people: {
      nonces: {
        rows: 'kept',
        because: 'they say nothing but that the account posted, and are deleted within 20 minutes',
      },
    },
    // One of these may have many kilobytes.
    rowsAtOnce: 16,
  }),
};

export type UsedNoncesTable = Row<typeof tables.used_nonces>;

export const noncesTables = {
  tables,
  migrations: { '001-first': createNonces },
} satisfies FeatureTables;
