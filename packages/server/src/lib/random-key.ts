import { randomBytes } from 'node:crypto';

const BYTES = 16;

/** 128 random bits that nobody can guess, in 22 characters of an address. */
export function randomKey(): string {
  return randomBytes(BYTES).toString('base64url');
}
