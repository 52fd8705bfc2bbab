import type { Logger } from '../../log/logger.ts';
import type { Change, ChangeListener } from './database.ts';

/** The listeners to changes of a database. */
export class ChangeListeners {
  readonly #listeners = new Set<ChangeListener>();
  readonly #log: Logger | undefined;

  constructor(log: Logger | undefined) {
    this.#log = log;
  }

  /** Returns a function that removes the listener. */
  add(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls every listener. Errors of listeners are only logged, because the changes are already committed. */
  notify(changes: readonly Change[] | 'unknown'): void {
    if (changes.length === 0) return;
    for (const listener of this.#listeners) {
      try {
        listener(changes);
      } catch (err) {
        this.#log?.error({ err }, 'a listener to database changes failed');
      }
    }
  }
}
