import type { Change, ChangeListener } from './database.ts';

/** Listeners to changes. */
export class ChangeListeners {
  readonly #listeners = new Set<ChangeListener>();

  /** Returns what removes the listener. */
  add(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(changes: readonly Change[] | 'unknown'): void {
    if (changes.length === 0) return;
    for (const listener of this.#listeners) listener(changes);
  }
}
