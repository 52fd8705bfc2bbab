import { z } from 'zod';

const jwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.base64url().length(43),
  d: z.base64url().length(43).optional(),
});

/** The keys of an instance's tokens, as they are stored. The first one signs, and all that have not ended are accepted. */
export const tokenKeysSchema = z.object({
  keys: z
    .array(jwk.extend({ kid: z.string().min(1).max(64), accepted_until: z.int().optional() }))
    .min(1)
    .refine(([first]) => first?.d !== undefined, {
      error: 'the first key needs its private part, d',
    }),
});

/** A key; only the first one has the private part. `accepted_until` is in Unix milliseconds. */
export type TokenKey = z.infer<typeof tokenKeysSchema>['keys'][number];

/** The keys of an instance's tokens. */
export type TokenKeys = z.infer<typeof tokenKeysSchema>;

/** New keys: one that signs. */
export async function newTokenKeys(): Promise<TokenKeys> {
  return { keys: [await newKey()] };
}

/** The keys with a new one in front. The others are accepted for `overlapMs` more, and lose their private part. */
export async function rotated(
  { keys }: TokenKeys,
  { nowMs, overlapMs }: { readonly nowMs: number; readonly overlapMs: number },
): Promise<TokenKeys> {
  const untilMs = nowMs + overlapMs;
  const old = keys
    .filter((key) => isAccepted(key, nowMs))
    .map(({ d: _private, accepted_until: endsAt = untilMs, ...key }) => ({
      ...key,
      accepted_until: Math.min(endsAt, untilMs),
    }));
  return { keys: [await newKey(), ...old.filter((key) => isAccepted(key, nowMs))] };
}

export function isAccepted(
  { accepted_until: untilMs = Infinity }: TokenKey,
  nowMs: number,
): boolean {
  return untilMs > nowMs;
}

async function newKey(): Promise<TokenKey> {
  const { privateKey } = await crypto.subtle.generateKey({ name: 'Ed25519' }, true, [
    'sign',
    'verify',
  ]);
  const { kty, crv, x, d } = await crypto.subtle.exportKey('jwk', privateKey);
  const { calculateJwkThumbprint } = await import('jose');
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x: x ?? '' });
  return tokenKeysSchema.shape.keys.element.parse({ kty, crv, x, d, kid });
}
