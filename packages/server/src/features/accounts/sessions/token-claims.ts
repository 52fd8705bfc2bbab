import { parseId, type Id } from '@hearth/protocol';
import { z } from 'zod';
import { createHash } from 'node:crypto';
import { randomKey } from '../../../lib/random-key.ts';

/** The time in seconds for which a token is valid. */
export const TOKEN_S = 400 * 86_400;

/** Longer tokens are not looked at. Ours have about 320 characters. */
export const MOST_TOKEN_CHARACTERS = 1_024;

export interface TokenClaims {
  readonly userId: Id;
  readonly sessionId: Id;
  /** 128 random bits. The session knows only their hash, so that its row yields no token. */
  readonly secret: string;
  /** Until when it is accepted, in Unix milliseconds, unless its key is replaced. */
  readonly acceptedUntilMs: number;
}

/** A new secret of a token. */
export const newTokenSecret: () => string = randomKey;

const id = z.string().transform((value, context) => {
  const parsed = parseId(value);
  if (parsed !== undefined) return parsed;
  context.addIssue('must be an id');
  return z.NEVER;
});

/** The payload of a token of ours. */
export const payloadSchema = z
  .object({
    sub: id,
    sid: id,
    jti: z.string().length(22),
    iat: z.int().nonnegative(),
    exp: z.int().nonnegative(),
  })
  // `iat` may lie ahead: the clock of the process that signed it may go before, or have been set back since.
  .refine(({ iat, exp }) => exp - iat <= TOKEN_S)
  .transform(({ sub, sid, jti, exp }): TokenClaims => ({
    userId: sub,
    sessionId: sid,
    secret: jti,
    acceptedUntilMs: exp * 1_000,
  }));

/** Returns what a session keeps of the secret of its token. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
