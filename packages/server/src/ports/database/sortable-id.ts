import type { Id } from '@hearth/protocol';
import { storedId } from './stored-id.ts';

/** As many zeros as the largest identifier has digits. */
const ZEROS = '0'.repeat(39);

const ZERO = ZEROS.charCodeAt(0);

/** An identifier with leading zeros, so that texts sort like their numbers. */
export function sortable(id: Id): string {
  return ZEROS.slice(id.length) + id;
}

/** The identifier in a column that has nothing but sortable ones. */
export function idIn(padded: string): Id {
  let zeros = 0;
  while (padded.charCodeAt(zeros) === ZERO && zeros < padded.length - 1) zeros += 1;
  return storedId(padded.slice(zeros));
}
