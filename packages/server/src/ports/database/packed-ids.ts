import type { Id } from '@hearth/protocol';
import { idIn, sortable } from './sortable-id.ts';

/** The number of digits of an identifier where it is stored, and in a packed list. */
export const ID_DIGITS = 39;

/** Packs identifiers into one text: one after another as they are stored, as an engine joins them. */
export function packIds(ids: readonly Id[]): string {
  return ids.map(sortable).join('');
}

export function unpackIds(packed: string): readonly Id[] {
  return storedIdsIn(packed).map(idIn);
}

/** The identifiers in a packed text as they are stored, each of so many digits. */
export function storedIdsIn(packed: string, digits = ID_DIGITS): readonly string[] {
  return Array.from({ length: packed.length / digits }, (_, at) =>
    packed.slice(at * digits, (at + 1) * digits),
  );
}
