import type { Statement } from '../../ports/database/database.ts';
import { upsertStatements } from './store.ts';
import type { UsedNonce } from './used-nonce.ts';

/** Statements that remember nonces, for the transaction that stores what was created with them. */
export function rememberNonces(used: readonly UsedNonce[]): readonly Statement[] {
  return upsertStatements(used);
}
