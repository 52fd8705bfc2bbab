/** The number of readings that are under way at the same time. */
const AT_ONCE = 4;

/** The largest number of things that are read together. */
const MOST_TOGETHER = 100;

interface Asked<Value> {
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads things at once if few are asked for, and together if very many are: while some are being read, others are gathered. All that
 * a caller gets was read after the call.
 */
export class GatheredReads<Key, Value> {
  readonly #read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;
  readonly #gathered = new Map<Key, Asked<Value>[]>();
  #running = 0;

  constructor(read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>) {
    this.#read = read;
  }

  /** Resolves with what is read; undefined if there is nothing. Rejects with what the reading rejects with. */
  of(key: Key): Promise<Value | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Value | undefined>();
    this.#gathered.getOrInsertComputed(key, () => []).push({ resolve, reject });
    if (this.#running < AT_ONCE) void this.#run();
    return promise;
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    this.#running += 1;
    while (this.#gathered.size > 0) {
      const some = [...this.#gathered.entries().take(MOST_TOGETHER)];
      for (const [key] of some) this.#gathered.delete(key);
      try {
        const found = await this.#read(some.map(([key]) => key));
        for (const [key, asked] of some) for (const { resolve } of asked) resolve(found.get(key));
      } catch (error) {
        for (const [, asked] of some) for (const { reject } of asked) reject(error);
      }
    }
    this.#running -= 1;
  }
}
