import { promises } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** The number of bytes of a file that may be read, and that are read at a time. */
export interface WindowBounds {
  readonly windowBytes: number;
  readonly loads: number;
  readonly reads: number;
}

const FOR_FACTS: WindowBounds = { windowBytes: 4096, loads: 1024, reads: 100_000 };

/** The bytes are not what the first ones promise. */
export class DamagedContent extends Error {
  override readonly name = 'DamagedContent';
}

/**
 * Random access to a file through one small window, for readers of formats that an attacker may have written. Reads
 * and loads are counted, so a loop that reads in every turn ends whatever the file says: beyond the bounds (by default
 * 1,024 loads, which are 4 MiB, and 100,000 reads) the content counts as damaged. The bound is a count and not a clock, so that the same bytes always
 * give the same result.
 */
export class FileWindow implements AsyncDisposable {
  readonly sizeBytes: number;
  readonly #handle: FileHandle;
  readonly #bounds: WindowBounds;
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #loads = 0;
  #reads = 0;

  private constructor(handle: FileHandle, sizeBytes: number, bounds: WindowBounds) {
    this.#handle = handle;
    this.#bounds = bounds;
    this.sizeBytes = sizeBytes;
  }

  static async open(path: string, sizeBytes: number, bounds = FOR_FACTS): Promise<FileWindow> {
    return new FileWindow(await promises.open(path, 'r'), sizeBytes, bounds);
  }

  /** The first bytes of the file: `length` of them, or all there are. */
  async readHead(length: number): Promise<Buffer> {
    await this.#load(0, Math.min(length, this.sizeBytes));
    return this.#bytes;
  }

  /** Exactly `length` bytes (a few) at `offset`; throws DamagedContent outside the file and beyond the bounds. */
  async read(offset: number, length: number): Promise<Buffer> {
    this.#reads += 1;
    if (this.#reads > this.#bounds.reads) throw new DamagedContent('too many parts');
    if (!this.#covers(offset, length)) {
      this.#loads += 1;
      if (this.#loads > this.#bounds.loads) throw new DamagedContent('too scattered');
      if (offset + length > this.sizeBytes) throw new DamagedContent('ends too early');
      const { windowBytes } = this.#bounds;
      await this.#load(offset, Math.min(Math.max(length, windowBytes), this.sizeBytes - offset));
      if (!this.#covers(offset, length)) throw new DamagedContent('shorter than announced');
    }
    return this.#bytes.subarray(offset - this.#start, offset - this.#start + length);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }

  #covers(offset: number, length: number): boolean {
    return offset >= this.#start && offset + length <= this.#start + this.#bytes.length;
  }

  async #load(offset: number, length: number): Promise<void> {
    const { buffer, bytesRead } = await this.#handle.read(
      Buffer.allocUnsafe(length),
      0,
      length,
      offset,
    );
    this.#bytes = buffer.subarray(0, bytesRead);
    this.#start = offset;
  }
}
