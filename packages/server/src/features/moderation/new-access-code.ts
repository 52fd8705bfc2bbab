import { randomLetters } from './random-letters.ts';

const PARTS = 3;
const LETTERS_A_PART = 4;

/** A code that nobody can guess and that can be read out: `k7mw-p3xd-9qht`. */
export function newAccessCode(): string {
  return Array.from({ length: PARTS }, () => randomLetters(LETTERS_A_PART)).join('-');
}
