import type { Logger } from '../../log/logger.ts';
import type { Change, ChangeListener } from './database.ts';

/** Listeners to changes. */
export class ChangeListeners {
  readonly #listeners = new Set<ChangeListener>();
  readonly #log: Logger | undefined;

  constructor(log: Logger | undefined) {
    this.#log = log;
  }

  /** Returns what removes the listener. */
  add(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls every listener. One that throws is logged: the changes are committed, whatever becomes of it. */
  tell(changes: readonly Change[] | 'unknown'): void {
    if (changes.length === 0) return;
    for (const listener of this.#listeners) {
      try {
        listener(changes);
      } catch (err) {
        this.#log?.error({ err }, 'a listener to changes of the database failed');
      }
    }
  }
}
