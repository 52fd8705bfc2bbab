import { createHash } from 'node:crypto';

/** What a session keeps of the secret of its token. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
