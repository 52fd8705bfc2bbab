import { throwLater } from './throw-later.ts';

/** Listeners by event name. A listener that throws affects neither the others nor the emitter. */
export class Emitter<Events extends object> {
  readonly #listeners: { [Name in keyof Events]?: Set<(event: Events[Name]) => void> } = {};

  /** Calls `listener` with every event of that name until the returned function is called. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void {
    const listeners = (this.#listeners[name] ??= new Set<(event: Events[Name]) => void>());
    // A wrapper each time, so that a listener that is added twice is called twice, and each can be removed.
    const own = (event: Events[Name]) => listener(event);
    listeners.add(own);
    return () => {
      listeners.delete(own);
    };
  }

  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    for (const listener of Array.from(this.#listeners[name] ?? [])) {
      try {
        listener(event);
      } catch (error) {
        throwLater(error);
      }
    }
  }
}
