import { randomLetters } from '../../../lib/random-letters.ts';

const PARTS = 4;
const LETTERS_A_PART = 5;

/** A password that nobody can guess (100 random bits) and that can be read out: `k7mwp-3xd9q-ht4ra-pq2ns`. */
export function newPassword(): string {
  return Array.from({ length: PARTS }, () => randomLetters(LETTERS_A_PART)).join('-');
}
