import type { Statement } from '../../../ports/database/database.ts';
import { insertGroup } from './store.ts';
import type { UsedNonce } from './used-nonce.ts';

/**
 * Statements that remember nonces which were used in one place, in the order of use, for the transaction that stores what was
 * created with them. Only a bus can use them, by {@link listAppended}.
 */
export function rememberNonces(used: readonly UsedNonce[]): readonly Statement[] {
  return used.length === 0 ? [] : [insertGroup(used)];
}
