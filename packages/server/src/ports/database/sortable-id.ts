import type { Id } from '@hearth/protocol';
import { storedId } from './stored-id.ts';

/** As many zeros as the largest identifier has digits. */
const ZEROS = '0'.repeat(39);

const ZERO = ZEROS.charCodeAt(0);

/** An identifier with leading zeros, so that texts sort like their numbers. Empty if it is. */
export function sortable(id: string): Id {
  return storedId(id === '' ? '' : ZEROS.slice(id.length) + id);
}

/** The identifier without leading zeros. */
export function idIn(padded: string): Id {
  let zeros = 0;
  while (padded.charCodeAt(zeros) === ZERO && zeros < padded.length - 1) zeros += 1;
  return storedId(zeros === 0 ? padded : padded.slice(zeros));
}
