import { parseId, type Id } from '@hearth/protocol';

const LEADING_ZEROS = /^0+(?=\d)/;

/** Digits of the largest identifier. */
const ID_DIGITS = 39;

/** An identifier with leading zeros, so that texts sort like their numbers. */
export function sortable(id: Id): string {
  return id.padStart(ID_DIGITS, '0');
}

/** The identifier that was made sortable. Throws TypeError if it is none. */
export function idIn(padded: string): Id {
  const id = parseId(padded.replace(LEADING_ZEROS, ''));
  if (id === undefined) throw new TypeError(`${padded} is not an identifier`);
  return id;
}
