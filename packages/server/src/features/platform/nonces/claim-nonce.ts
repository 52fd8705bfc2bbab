import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { insertNonces, nonceKey, selectResults, type UsedNonce } from './store.ts';

/**
 * Remembers nonces of different persons or places in the transaction that creates something with them. Returns what those
 * created that were used before, by their places in the list: then the transaction must create nothing with them. Of several
 * transactions at once, one remembers a nonce; the others wait for it to end.
 */
export async function claimNonces(
  tx: Transaction,
  used: readonly UsedNonce[],
): Promise<ReadonlyMap<number, Id>> {
  const keyed = used.map((each) => ({ ...each, key: nonceKey(each) }));
  const ordered = keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const earlier = new Map<number, Id>();
  if ((await insertNonces(tx, ordered)) === used.length) return earlier;
  const stored = await selectResults(tx, ordered);
  const results = new Map(stored.map((each) => [nonceKey(each), each.resultId]));
  for (const [at, { key, resultId }] of keyed.entries()) {
    const result = results.get(key);
    if (result === undefined) throw new Error('a nonce was used and is not known');
    // An id is never drawn again.
    if (result !== resultId) earlier.set(at, result);
  }
  return earlier;
}
