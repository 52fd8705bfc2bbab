import { Semaphore } from '../../lib/semaphore.ts';

/** The number of runs that may be under way at the same time. */
const MOST_AT_ONCE = 8;

/**
 * Runs work by key: runs of one key follow each other, and runs of different keys happen at the same time. Callers who
 * ask before a run of their key begins share it.
 */
export class SharedRuns<Key> {
  /** The run of each key that has not begun. */
  readonly #coming = new Map<Key, Promise<void>>();
  /** The newest run of each key, until it has ended. */
  readonly #newest = new Map<Key, Promise<void>>();
  readonly #permits = new Semaphore(MOST_AT_ONCE);

  /** Resolves when a run that began after the call has ended. `work` must not reject. */
  async run(key: Key, work: () => Promise<void>): Promise<void> {
    const coming = this.#coming.get(key) ?? this.#add(key, work);
    await coming;
  }

  /** Resolves when no run is under way or waits. */
  async ended(): Promise<void> {
    while (this.#newest.size > 0) await Promise.all(this.#newest.values());
  }

  #add(key: Key, work: () => Promise<void>): Promise<void> {
    const next = this.#runAfter(this.#newest.get(key), async () => {
      this.#coming.delete(key);
      await work();
      if (this.#newest.get(key) === next) this.#newest.delete(key);
    });
    this.#coming.set(key, next);
    this.#newest.set(key, next);
    return next;
  }

  async #runAfter(before: Promise<void> | undefined, work: () => Promise<void>): Promise<void> {
    await before;
    using _permit = await this.#permits.acquire();
    await work();
  }
}
