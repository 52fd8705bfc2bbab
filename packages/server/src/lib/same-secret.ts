import { timingSafeEqual } from 'node:crypto';

/** Returns whether `given` is `secret`. The time that this takes depends on the length of `given` only. */
export function isSameSecret(secret: string, given: string): boolean {
  const [one, other] = [Buffer.from(secret), Buffer.from(given)];
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}
