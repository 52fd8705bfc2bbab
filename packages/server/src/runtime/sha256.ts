/**
 * A SHA-256 that is computed as bytes stream in. By the runtime: its `node:crypto` takes longer to load than the
 * runtime itself.
 */
export class Sha256 {
  readonly #hasher = new Bun.CryptoHasher('sha256');

  update(bytes: Uint8Array): void {
    this.#hasher.update(bytes);
  }

  /** The hash in hexadecimal. Ends the hashing. */
  digest(): string {
    return this.#hasher.digest('hex');
  }
}

export function sha256Of(bytes: Uint8Array): string {
  const hash = new Sha256();
  hash.update(bytes);
  return hash.digest();
}
