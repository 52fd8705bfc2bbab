import { newTypedCode } from '../../../lib/typed-code.ts';

const PARTS = 3;

/** A code that nobody can guess and that can be read out: `k7mw-p3xd-9qht`. */
export function newAccessCode(): string {
  return newTypedCode(PARTS);
}
