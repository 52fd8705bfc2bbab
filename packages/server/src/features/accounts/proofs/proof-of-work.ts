import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Proof, ProofChallenge } from '@hearth/protocol';
import { randomKey } from '../../../lib/random-key.ts';

/** With how many zero bits a hash has to begin: a phone tries 131,072 texts in about a second. */
export const PROOF_BITS = 17;

/** The time in milliseconds for which a challenge is accepted: as long as somebody may take to fill in a form. */
const ACCEPTED_MS = 30 * 60_000;

const CHALLENGE = /^v1\.(\d{1,3})\.([0-9a-z]{1,12})\.([\w-]{22})\.([\w-]{43})$/;

/** A challenge that was solved, and is not to be solved again. */
export interface SolvedChallenge {
  /** The part that no other challenge has. */
  readonly id: string;
  readonly expiresAtMs: number;
}

/** A new challenge. It is not stored: its signature shows that it is ours. */
export function newChallenge(
  key: string,
  { nowMs, bits = PROOF_BITS }: { readonly nowMs: number; readonly bits?: number },
): ProofChallenge {
  const expiresAtMs = nowMs + ACCEPTED_MS;
  const signed = `v1.${bits}.${expiresAtMs.toString(36)}.${randomKey()}`;
  return {
    challenge: `${signed}.${signatureOf(key, signed)}`,
    bits,
    expires_at: expiresAtMs,
  };
}

/** The challenge that a proof solves; or what is wrong with the proof. */
export function checkProof(
  key: string,
  { challenge, nonce }: Proof,
  nowMs: number,
): SolvedChallenge | string {
  const [, bits = '', expires = '', id = '', signature = ''] = CHALLENGE.exec(challenge) ?? [];
  const signed = challenge.slice(0, -signature.length - 1);
  if (signature === '' || !isSame(signature, signatureOf(key, signed))) {
    return 'has a challenge that is not of this server';
  }
  const expiresAtMs = Number.parseInt(expires, 36);
  if (expiresAtMs <= nowMs) return 'has a challenge that has expired';
  const hash = createHash('sha256').update(`${challenge}:${nonce}`).digest();
  return zeroBits(hash) >= Number(bits) ? { id, expiresAtMs } : 'does not solve its challenge';
}

/** With how many zero bits bytes begin. */
export function zeroBits(bytes: Uint8Array): number {
  const at = bytes.findIndex((byte) => byte !== 0);
  return at === -1 ? bytes.length * 8 : at * 8 + Math.clz32(bytes[at] ?? 0) - 24;
}

function signatureOf(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
