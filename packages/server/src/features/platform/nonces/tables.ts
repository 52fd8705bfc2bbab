import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createNonces } from './migrations/001-nonces.ts';

/** What was created with a nonce in the last ten minutes, by whom and where. */
export interface UsedNoncesTable {
  /** Where it was created, as the name of a stream, such as `lobby`. */
  place: string;
  user_id: Id;
  nonce: string;
  /** The identifier of what was created. */
  result_id: Id;
  used_at_ms: number;
}

/**
 * Nonces whose results were stored together: one row, because a row for each costs more than the message. They are only
 * read all at once, for a bus that has lost them.
 */
export interface NonceGroupsTable {
  place: string;
  /** The identifier of what was created last. */
  last_id: Id;
  /** When the newest was used. */
  used_at_ms: number;
  /** A JSON array with three texts for each: the person, the nonce, and the identifier of what was created. */
  nonces: string;
}

/** The tables of this feature. */
export interface NoncesTables {
  used_nonces: UsedNoncesTable;
  nonce_groups: NonceGroupsTable;
}

export const noncesTables: FeatureTables<NoncesTables> = {
  tables: {
    used_nonces: {
      columns: {
        place: 'text',
        user_id: 'id',
        nonce: 'text',
        result_id: 'id',
        used_at_ms: 'moment',
      },
      key: ['user_id', 'place', 'nonce'],
      people: { user_id: { rows: 'removed' } },
    },
    nonce_groups: {
      columns: { place: 'text', last_id: 'id', used_at_ms: 'moment', nonces: 'text' },
      key: ['place', 'last_id'],
      people: {
        nonces: {
          rows: 'kept',
          because:
            'they say nothing but that the account posted, and are deleted within 20 minutes',
        },
      },
      // One of these may have many kilobytes.
      rowsAtOnce: 16,
    },
  },
  migrations: { '001-first': createNonces },
};
