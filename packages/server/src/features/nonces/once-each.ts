import { compareIds, type Id } from '@hearth/protocol';
import { nonceKey, type UsedNonce } from './used-nonce.ts';

/** What is the same for the same thing: a nonce of a person in a place, or else the place of the call. */
export function onceKey(used: Pick<UsedNonce, 'place' | 'userId' | 'nonce'>, at: number): string {
  return used.nonce === '' ? String(at) : `nonce ${nonceKey(used)}`;
}

/** Those that differ by their keys, with the places of their calls, and ids that rise in their order, whatever the order in which these were drawn. */
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
