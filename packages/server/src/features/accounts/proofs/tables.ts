import { column, table, type FeatureTables } from '../../../ports/database/table-data.ts';
import { createProofs } from './migrations/001-proofs.ts';

const tables = {
  /** Challenges that have registered an account, as long as they would be accepted otherwise. */
  spent_proofs: table({
    columns: {
      challenge: column.text,
      expires_at_ms: column.moment,
    },
    key: ['challenge'],
  }),
};

export const proofsTables = {
  tables,
  migrations: { '001-first': createProofs },
} satisfies FeatureTables;
