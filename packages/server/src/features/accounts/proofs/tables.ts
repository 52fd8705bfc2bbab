import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createProofs } from './migrations/001-proofs.ts';

/** Challenges that have registered an account, as long as they would be accepted otherwise. */
interface SpentProofsTable {
  challenge: string;
  expires_at_ms: number;
}

/** The tables of this feature. */
export interface ProofsTables {
  spent_proofs: SpentProofsTable;
}

export const proofsTables: FeatureTables<ProofsTables> = {
  tables: {
    spent_proofs: {
      columns: { challenge: 'text', expires_at_ms: 'moment' },
      key: ['challenge'],
    },
  },
  migrations: { '001-first': createProofs },
};
