/**
 * SHA-256 (FIPS 180-4), as eight words. The browser's own is asynchronous, which takes longer than hashing a few bytes does,
 * and pages without HTTPS have none.
 */
export function sha256(bytes: Uint8Array): Uint32Array {
  const hash = Uint32Array.from(START);
  const words = new Uint32Array(64);
  const padded = pad(bytes);
  const view = new DataView(padded.buffer);
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(offset + index * 4);
    compress(hash, words);
  }
  return hash;
}

const PRIMES = firstPrimes(64);
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = Uint32Array.from(PRIMES.map((prime) => fraction(Math.cbrt(prime))));

/** The message, a one bit, zeros, and its length in bits, in whole blocks of 64 bytes. */
function pad(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setUint32(padded.length - 4, bytes.length * 8);
  return padded;
}

function compress(hash: Uint32Array, words: Uint32Array): void {
  for (let index = 16; index < 64; index += 1) {
    const early = words[index - 15] ?? 0;
    const late = words[index - 2] ?? 0;
    const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[index] = (words[index - 16] ?? 0) + small + (words[index - 7] ?? 0) + large;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let index = 0; index < 64; index += 1) {
    const sums = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + sums + choice + (ROUNDS[index] ?? 0) + (words[index] ?? 0)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
    hash[index] = (hash[index] ?? 0) + word;
  }
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first 32 bits of the fraction of a number. */
function fraction(number: number): number {
  return Math.floor((number % 1) * 2 ** 32);
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}
