import { compareIds, type Id } from '@hearth/protocol';
import { nonceKey, type UsedNonce } from './store.ts';

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
