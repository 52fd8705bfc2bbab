import type { FeatureTables } from '../../ports/database/table-data.ts';
import { createUsedNonces } from './migrations/019-nonces.ts';

/** What was created with a nonce in the last ten minutes, by whom and where. */
export interface UsedNoncesTable {
  /** Where it was created, as the name of a stream, such as `lobby`. */
  place: string;
  user_id: string;
  nonce: string;
  /** The identifier of what was created. */
  result_id: string;
  used_at_ms: number;
}

/** The tables of this feature. */
export interface NoncesTables {
  used_nonces: UsedNoncesTable;
}

export const noncesTables: FeatureTables<NoncesTables> = {
  tables: {
    used_nonces: {
      columns: {
        place: 'text',
        user_id: 'text',
        nonce: 'text',
        result_id: 'text',
        used_at_ms: 'number',
      },
      key: ['user_id', 'place', 'nonce'],
      people: { user_id: { rows: 'removed' } },
    },
  },
  migrations: { '019-nonces': createUsedNonces },
};
