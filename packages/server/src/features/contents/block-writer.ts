import type { BlobWriter } from '../../ports/blobs/blobs.ts';

/** From here on a write costs what its bytes cost; smaller ones pay more for changing threads than for writing. */
const BLOCK_BYTES = 128 * 1024;

/**
 * Gathers chunks into blocks for `blob`; a block is written while the next one is filled, so that receiving and
 * writing take place side by side. Holds two blocks at most. One of `end` and `abandon` ends it.
 */
export class BlockWriter {
  readonly #blob: BlobWriter;
  /** What is being filled, and what is being written or was. */
  #block: Uint8Array<ArrayBuffer> | undefined;
  #other: Uint8Array<ArrayBuffer> | undefined;
  #filledBytes = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(blob: BlobWriter) {
    this.#blob = blob;
  }

  /**
   * Takes the next bytes, which may be reused once the promise is settled. Rejects when they or earlier ones could not
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

  /** Resolves when everything is written. Rejects when something could not be. */
  async end(): Promise<void> {
    try {
      if (this.#block !== undefined) await this.#handOver(this.#block);
      await this.#writing;
    } finally {
      await this.abandon();
    }
  }

  /** Resolves when nothing is being written any more, whatever became of it. */
  async abandon(): Promise<void> {
    await this.#writing.catch(() => {});
    // At once, and not when the collector comes by: it does not count what lies outside of its heap for much.
    this.#block?.buffer.transfer(0);
    this.#other?.buffer.transfer(0);
    this.#block = undefined;
    this.#other = undefined;
  }

  /** Begins to write the filled part of `block`, as soon as the block before is written. */
  async #handOver(block: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#writing;
    this.#writing = this.#blob.write(block.subarray(0, this.#filledBytes));
    // Whoever writes next or ends is told of it.
    this.#writing.catch(() => {});
    this.#block = this.#other;
    this.#other = block;
    this.#filledBytes = 0;
  }
}
