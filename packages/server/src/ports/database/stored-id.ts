import type { Id } from '@hearth/protocol';

/** An identifier as it was read from a column that has nothing else. */
export function storedId(text: string): Id {
  // Guarantee: only identifiers are stored there.
  return text as Id;
}

/** The value of columns that may hold an identifier and do not: less than all of them. */
export const NO_ID = storedId('');
