/**
 * Reads something once for all who ask for it while it is being read. Each of them gets the result of a reading that began after
 * their call, so it has all that was written before.
 */
export class SharedReads<Key, Value> {
  /** The readings that have not begun. */
  readonly #coming = new Map<Key, Promise<Value>>();
  /** The newest reading of each key, until it has ended. */
  readonly #newest = new Map<Key, Promise<Value>>();

  /** Settles as the next reading of the key does, which begins now, or as soon as the one that is under way has ended. */
  read(key: Key, work: () => Promise<Value>): Promise<Value> {
    const coming = this.#coming.get(key);
    if (coming !== undefined) return coming;
    const running = this.#newest.get(key);
    const begin = () => {
      this.#coming.delete(key);
      return work();
    };
    const reading = (running === undefined ? begin() : running.then(begin, begin)).finally(() => {
      if (this.#newest.get(key) === reading) this.#newest.delete(key);
    });
    if (running !== undefined) this.#coming.set(key, reading);
    this.#newest.set(key, reading);
    return reading;
  }
}
