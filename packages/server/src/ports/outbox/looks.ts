/** How many looks may run at the same time. */
const MOST_AT_ONCE = 8;

/**
 * Runs looks at the rows of the outbox. Each look has a key: looks of one key run one after another, and looks of
 * different keys run at the same time.
 */
export class Looks<Key> {
  /** The look of each key that has not begun. */
  readonly #coming = new Map<Key, Promise<void>>();
  /** The newest look of each key, until it has ended. */
  readonly #newest = new Map<Key, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /**
   * Resolves when a look that began after the call has ended. Further calls before it begins share it. `look` must not
   * reject.
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
