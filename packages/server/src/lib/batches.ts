export interface BatchesOptions<Item, Result> {
  /** Handles items together; returns their results in the same order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** The largest number of items in a batch. */
  readonly most: number;
  /** The number of batches that may begin at once; 10 by default. */
  readonly atOnce?: number;
  /** The time in milliseconds after which another one may begin; 20 by default. */
  readonly periodMs?: number;
}

/** The number of batches that may begin at once, and the time in milliseconds after which another one may. */
const AT_ONCE = 10;
const PERIOD_MS = 20;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Handles items at once if they come now and then, and together if very many come: however many there are, a batch begins at
 * most once in a period, apart from the first ones.
 */
export class Batches<Item, Result> {
  readonly #options: Required<BatchesOptions<Item, Result>>;
  #waiting: Waiting<Item, Result>[] = [];
  #left: number;
  #isDue = false;

  constructor(options: BatchesOptions<Item, Result>) {
    this.#options = { atOnce: AT_ONCE, periodMs: PERIOD_MS, ...options };
    this.#left = this.#options.atOnce;
  }

  /** The result for an item. Rejects with what the batch rejects with. */
  add(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ item, resolve, reject });
    if (this.#left > 0 && !this.#isDue) {
      this.#isDue = true;
      // What else comes now belongs to the same batch.
      queueMicrotask(() => this.#begin());
    }
    return promise;
  }

  #begin(): void {
    this.#isDue = false;
    const batch = this.#waiting.splice(0, this.#options.most);
    if (batch.length === 0) return;
    if (this.#left === this.#options.atOnce) this.#refillLater();
    this.#left -= 1;
    void this.#run(batch);
    if (this.#waiting.length > 0 && this.#left > 0) this.#begin();
  }

  #refillLater(): void {
    setTimeout(() => {
      this.#left += 1;
      if (this.#waiting.length > 0) this.#begin();
      if (this.#left < this.#options.atOnce) this.#refillLater();
    }, this.#options.periodMs).unref();
  }

  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.run(batch.map(({ item }) => item));
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
