import { createHash } from 'node:crypto';
import { randomLetters } from './random-letters.ts';

const LETTERS_A_PART = 4;

/** A code of 20 bits a part, in groups that can be read out: `k7mw-p3xd`. */
export function newTypedCode(parts: number): string {
  return Array.from({ length: parts }, () => randomLetters(LETTERS_A_PART)).join('-');
}

/** The SHA-256 of a code, however its letters are written and grouped. */
export function typedCodeHash(code: string): string {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return createHash('sha256').update(letters).digest('base64url');
}
