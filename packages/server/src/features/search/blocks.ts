/**
 * Messages in a block. Larger blocks have fewer rows, but the messages after the last whole block are searched one by
 * one.
 */
export const BLOCK_MESSAGES = 1_024;

/** A message is a character of two bytes in UTF-8. */
const FIRST_CHARACTER = 0x100;

/** The block of the message with this number. */
export function blockOf(number: number): number {
  return Math.floor((number - 1) / BLOCK_MESSAGES);
}

/** The numbers of a block's first and last message. */
export function numbersOf(block: number): { readonly first: number; readonly last: number } {
  return { first: block * BLOCK_MESSAGES + 1, last: (block + 1) * BLOCK_MESSAGES };
}

/** A message in the hits of its block. */
export function hitOf(number: number): string {
  return String.fromCharCode(FIRST_CHARACTER + ((number - 1) % BLOCK_MESSAGES));
}

/** The number of a message in the hits of a block. */
export function numberOf(hit: string, block: number): number {
  return numbersOf(block).first + hit.charCodeAt(0) - FIRST_CHARACTER;
}
