/** How many looks run at the same time. */
const MOST_AT_ONCE = 8;

/**
 * Looks at the rows of the outbox, each by a key: those of one key run one after another, and those of different keys
 * at the same time.
 */
export class Looks<Key> {
  /** Looks that have not begun. */
  readonly #coming = new Map<Key, Promise<void>>();
  /** The newest look of each key that has not ended. */
  readonly #newest = new Map<Key, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /**
   * Resolves when a look has ended that began after the call; whoever asks before it has begun shares it. `look` never
   * rejects.
   */
  async run(key: Key, look: () => Promise<void>): Promise<void> {
    const coming = this.#coming.get(key) ?? this.#add(key, look);
    await coming;
  }

  /** Resolves when no look runs or waits. */
  async ended(): Promise<void> {
    while (this.#newest.size > 0) await Promise.all(this.#newest.values());
  }

  #add(key: Key, look: () => Promise<void>): Promise<void> {
    const next = this.#runAfter(this.#newest.get(key), async () => {
      this.#coming.delete(key);
      await look();
      if (this.#newest.get(key) === next) this.#newest.delete(key);
    });
    this.#coming.set(key, next);
    this.#newest.set(key, next);
    return next;
  }

  async #runAfter(before: Promise<void> | undefined, look: () => Promise<void>): Promise<void> {
    await before;
    if (this.#running < MOST_AT_ONCE) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    await look();
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
