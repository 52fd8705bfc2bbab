import { ByteBudget } from '../../lib/byte-budget.ts';
import { memoryLimitBytes } from '../../runtime/memory-limit.ts';

const MIB = 1024 ** 2;

/** The most memory that pictures may take, in bytes. */
export interface MemoryBounds {
  readonly oneBytes: number;
  readonly allBytes: number;
}

/** A quarter of the memory of the process, but not so much that one picture keeps all processors waiting for memory. */
export function memoryBounds(limitBytes = memoryLimitBytes()): MemoryBounds {
  const allBytes = Math.min(768 * MIB, Math.max(128 * MIB, Math.floor(limitBytes / 4)));
  return { allBytes, oneBytes: Math.min(512 * MIB, allBytes) };
}

/** Shares the memory that pictures take while they are decoded and encoded. */
export class PictureMemory {
  readonly #oneBytes: number;
  readonly #budget: ByteBudget;

  constructor({ oneBytes, allBytes }: MemoryBounds) {
    this.#oneBytes = Math.min(oneBytes, allBytes);
    this.#budget = new ByteBudget(allBytes);
  }

  /** Resolves with the memory for a picture as soon as there is enough. Throws if the picture needs too much of it. */
  async take(bytes: number): Promise<Disposable> {
    if (bytes > this.#oneBytes) throw new Error('the picture takes too much memory');
    return this.#budget.take(bytes);
  }
}
