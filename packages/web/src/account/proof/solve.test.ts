import { expect, test } from 'bun:test';
import { sha256 } from './sha256.ts';
import { solve } from './solve.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const hexOf = (words: Uint32Array) =>
  Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');

test.each([0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1000])(
  'the hash of %p bytes is the one that the runtime has',
  (length) => {
    const text = 'abcdefg'.repeat(200).slice(0, length);
    expect(hexOf(sha256(encode(text)))).toBe(
      new Bun.CryptoHasher('sha256').update(text).digest('hex'),
    );
  },
);

test.each([0, 1, 8, 13])('[WC102] a task of %p bits is solved', (bits) => {
  const challenge = 'a task of the instance';
  const nonce = solve({ challenge, bits });
  const hash = new Bun.CryptoHasher('sha256').update(`${challenge}:${nonce}`).digest('hex');
  const zeros = BigInt(`0x1${hash}`).toString(2).slice(1).indexOf('1');
  expect(zeros).toBeGreaterThanOrEqual(bits);
});
