/** A SHA-256 that is made as bytes stream by. By the runtime, whose `node:crypto` takes longer to load than itself. */
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
