import { randomLetters } from '../../../lib/random-letters.ts';

const LENGTH = 8;

/** The id of a new ban: short enough to type, and never an address. */
export function newBanId(): string {
  return randomLetters(LENGTH);
}
