import { within } from './within.ts';

/** The end of the current turn. If something goes wrong between two turns, the next turn throws the error. */
export class TurnEnd {
  #fault: Error | undefined;
  #end = Promise.withResolvers<void>();

  /** Throws the fault, if there was one. */
  check(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  /** Begins a turn. Throws if something went wrong before. */
  begin(): void {
    this.check();
    this.#end = Promise.withResolvers();
    // Until `reached` is called nobody waits for it.
    this.#end.promise.catch(() => {});
  }

  /** Ends the turn. */
  reach(): void {
    this.#end.resolve();
  }

  /** Ends the turn, or the next one, with an error. */
  fail(error: Error): void {
    this.#fault ??= error;
    this.#end.reject(error);
  }

  /** Resolves at the end of a turn with this planned duration. Throws if it fails, or does not end in time. */
  reached(milliseconds: number, missing: () => string): Promise<void> {
    return within(milliseconds, this.#end.promise, missing);
  }
}
