import { compareIds, type Id } from '@hearth/protocol';
import { nonceKey, type UsedNonce } from './used-nonce.ts';

/** A key that the same thing has again: a nonce of a person in a place, or else the place of the call. */
export function onceKey(used: Pick<UsedNonce, 'place' | 'userId' | 'nonce'>, at: number): string {
  return used.nonce === '' ? String(at) : `nonce ${nonceKey(used)}`;
}

/** Removes repetitions by their keys, and lets the ids rise in the order of the calls. */
export function onceEach<Write extends { readonly id: Id }>(
  writes: readonly Write[],
  keyOf: (write: Write, at: number) => string,
): readonly (Write & { readonly at: number })[] {
  const entries = new Map<string, Write & { readonly at: number }>();
  for (const [at, write] of writes.entries()) {
    const key = keyOf(write, at);
    if (!entries.has(key)) entries.set(key, { ...write, at });
  }
  const all = [...entries.values()];
  const ids = all.map(({ id }) => id).toSorted(compareIds);
  return all.map((entry, place) => ({ ...entry, id: ids[place] ?? entry.id }));
}
