import type { BlobWriter } from '../../../ports/blobs/blobs.ts';

/** From this size on a write costs what its bytes cost; for smaller ones, changing threads costs more than writing. */
const BLOCK_BYTES = 128 * 1024;

/**
 * Gathers chunks into blocks for `blob`; a block is written while the next one is filled, so that receiving and
 * writing run in parallel. Holds two blocks at most. One of `end` and `abandon` ends it.
 */
export class BlockWriter {
  readonly #blob: BlobWriter;
  /** The block that is being filled, and the one that is being written or was. */
  #block: Uint8Array<ArrayBuffer> | undefined;
  #other: Uint8Array<ArrayBuffer> | undefined;
  #filledBytes = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(blob: BlobWriter) {
    this.#blob = blob;
  }

  /**
   * Takes the next bytes, which may be reused once the promise is settled. Rejects if they or earlier ones could not
   * be written.
   */
  async write(chunk: Uint8Array): Promise<void> {
    let taken = 0;
    while (taken < chunk.byteLength) {
      this.#block ??= new Uint8Array(BLOCK_BYTES);
      const piece = chunk.subarray(taken, taken + BLOCK_BYTES - this.#filledBytes);
      this.#block.set(piece, this.#filledBytes);
      this.#filledBytes += piece.byteLength;
      taken += piece.byteLength;
      if (this.#filledBytes === BLOCK_BYTES) await this.#handOver(this.#block);
    }
  }

  /** Resolves when everything is written. Rejects if something could not be. */
  async end(): Promise<void> {
    try {
      if (this.#block !== undefined) await this.#handOver(this.#block);
      await this.#writing;
    } finally {
      await this.abandon();
    }
  }

  /** Resolves when nothing is being written any more, whether it succeeded or not. */
  async abandon(): Promise<void> {
    await this.#writing.catch(() => {});
    // At once, and not when the garbage collector runs: it hardly counts what lies outside of its heap.
    this.#block?.buffer.transfer(0);
    this.#other?.buffer.transfer(0);
    this.#block = undefined;
    this.#other = undefined;
  }

  /** Begins to write the filled part of `block`, as soon as the block before is written. */
  async #handOver(block: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#writing;
    this.#writing = this.#blob.write(block.subarray(0, this.#filledBytes));
    // The next write, or the end, gets the error.
    this.#writing.catch(() => {});
    this.#block = this.#other;
    this.#other = block;
    this.#filledBytes = 0;
  }
}
