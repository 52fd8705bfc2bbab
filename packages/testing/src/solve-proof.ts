import { createHash } from 'node:crypto';
import type { Proof, ProofChallenge } from '@hearth/protocol';

/** Solves a challenge by trying numbers, as a client does. */
export function solveProof({ challenge, bits }: ProofChallenge): Proof {
  for (let nonce = 0; ; nonce += 1) {
    const hash = createHash('sha256').update(`${challenge}:${nonce}`).digest();
    const word = hash.readUInt32BE(0);
    if (Math.clz32(word) >= bits) return { challenge, nonce: String(nonce) };
  }
}
