import { compareIds, type Id } from '@hearth/protocol';
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

/** A key that the same thing has again: a nonce of a person in a place, or else the place of the call. */
export function onceKey(used: Pick<UsedNonce, 'place' | 'userId' | 'nonce'>, at: number): string {
  return used.nonce === '' ? String(at) : `nonce ${nonceKey(used)}`;
}

/** Removes repetitions by their keys, and lets the ids rise in the order of the calls. */
export function onceEach<Write extends { readonly id: Id }>(
  writes: readonly Write[],
  keyOf: (write: Write, at: number) => string,
): readonly (Write & { readonly at: number })[] {
  const keys = new Set<string>();
  const entries: (Write & { readonly at: number })[] = [];
  for (const [at, write] of writes.entries()) {
    keys.add(keyOf(write, at));
    if (keys.size > entries.length) entries.push({ ...write, at });
  }
  // As nearly always, because they are drawn in this order.
  const rise = entries.every(({ id }, place) => compareIds(entries[place - 1]?.id ?? id, id) <= 0);
  if (rise) return entries;
  const ids = entries.map(({ id }) => id).toSorted(compareIds);
  return entries.map((entry, place) => ({ ...entry, id: ids[place] ?? entry.id }));
}
