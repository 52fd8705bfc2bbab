import { sha256 } from './sha256.ts';

/** A task of the instance. */
export interface ProofTask {
  readonly challenge: string;
  /** With how many zero bits the hash of the challenge, a colon and the answer has to begin. */
  readonly bits: number;
}

/** The first number that solves a task, as text. */
export function solve({ challenge, bits }: ProofTask): string {
  const encoder = new TextEncoder();
  for (let number = 0; ; number += 1) {
    const nonce = number.toString(36);
    if (leadingZeros(sha256(encoder.encode(`${challenge}:${nonce}`))) >= bits) return nonce;
  }
}

/** Returns how many zero bits some words begin with. */
function leadingZeros(words: Uint32Array): number {
  const index = words.findIndex((word) => word !== 0);
  return index === -1 ? words.length * 32 : index * 32 + Math.clz32(words[index] ?? 0);
}
