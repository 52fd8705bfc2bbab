import { throwLater } from './throw-later.ts';

/** Listeners by the name of what they listen to. One that throws disturbs neither the others nor who emits. */
export class Emitter<Events extends object> {
  readonly #listeners: { [Name in keyof Events]?: Set<(event: Events[Name]) => void> } = {};

  /** Calls `listener` with every event of that name until what is returned is called. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void {
    const listeners = (this.#listeners[name] ??= new Set<(event: Events[Name]) => void>());
    // A listener of its own each time, so that one that is added twice is called twice and ended one by one.
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
