/** Lets work that concerns the same key run one after another, in the order of the calls. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` once all earlier work of any of these keys has ended. Returns and throws what it does. */
  async run<Result>(keys: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const before = keys.flatMap((key) => this.#last.get(key) ?? []);
    // At once for all keys, so that no two can wait for each other.
    for (const key of keys) this.#last.set(key, ended);
    try {
      await Promise.all(before);
      return await work();
    } finally {
      for (const key of keys) if (this.#last.get(key) === ended) this.#last.delete(key);
      end();
    }
  }
}
