import type { Id } from '@hearth/protocol';
import { storedId } from './stored-id.ts';

const LEADING_ZEROS = /^0+(?=\d)/;

/** Digits of the largest identifier. */
const ID_DIGITS = 39;

/** An identifier with leading zeros, so that texts sort like their numbers. */
export function sortable(id: Id): string {
  return id.padStart(ID_DIGITS, '0');
}

/** The identifier in a column that has nothing but sortable ones. */
export function idIn(padded: string): Id {
  return storedId(padded.replace(LEADING_ZEROS, ''));
}
