import { within } from './within.ts';

/** The end of the turn that is under way. What goes wrong between two turns is told by the next. */
export class TurnEnd {
  #fault: Error | undefined;
  #end = Promise.withResolvers<void>();

  /** Throws the fault, where there was one. */
  check(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  /** Begins a turn. Throws where something went wrong before. */
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

  /** Resolves at the end of a turn that was to take so long. Throws where it fails, or does not end in time. */
  reached(milliseconds: number, missing: () => string): Promise<void> {
    return within(milliseconds, this.#end.promise, missing);
  }
}
