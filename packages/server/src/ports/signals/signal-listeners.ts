import type { Logger } from '../../log/logger.ts';
import type { Signal, SignalListener } from './signals.ts';

/** The listeners of this process. */
export class SignalListeners {
  readonly #listeners = new Set<SignalListener>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Returns a function that removes the listener. */
  add(listener: SignalListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(signal: Signal): void {
    for (const listener of this.#listeners) {
      try {
        listener(signal);
      } catch (err) {
        this.#log.error({ err }, 'a signal was not handled');
      }
    }
  }
}
