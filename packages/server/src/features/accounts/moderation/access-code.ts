import { Sha256 } from '../../../runtime/sha256.ts';
import type { AccessCode } from '../../../restrictions.ts';

/** An access code to compare others with. */
export function accessCodeOf(code: string): AccessCode {
  const own = hashOf(code);
  return { isSame: (given) => isSameHash(own, hashOf(given)) };
}

function hashOf(code: string): string {
  const hash = new Sha256();
  hash.update(Buffer.from(code));
  return hash.digest();
}

// Takes the same time whichever characters differ.
function isSameHash(one: string, other: string): boolean {
  let difference = 0;
  for (let at = 0; at < one.length; at += 1)
    difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
