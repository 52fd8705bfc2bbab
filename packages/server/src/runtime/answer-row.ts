/** Connections with an answer in a turn of the event loop from which on answers are sent in a row. */
const MANY = 8;

/** An answer that is ready and waits for the end of its turn. */
type Release = () => void;

/**
 * Sends the answers of a busy turn of the event loop in a row at its end, which costs the system less than sending each
 * beside the request that it came with. An answer waits for the end of the turn in which it was ready, never for another
 * one; while few come none waits at all.
 */
export class AnswerRow {
  readonly #afterTurn: (end: () => void) => void;
  readonly #end = () => this.#endTurn();
  #held: Release[] = [];
  /** On how many connections answers became ready in this turn, and in the one before. */
  #came = 0;
  #before = 0;
  #lastConnection: number | undefined;
  #isBusy = false;
  #isEndAwaited = false;

  /** `afterTurn` calls back when everything that the turn brought was handled. */
  constructor(afterTurn: (end: () => void) => void = setImmediate) {
    this.#afterTurn = afterTurn;
  }

  /**
   * Resolves with what `answer` does, at the end of the turn where that is busy; rejects as soon as it does. `onReady` is
   * called when either is known, and tells which connection waits.
   */
  hold<Answer>(answer: Promise<Answer>, onReady: () => number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      answer.then(
        (ready) => {
          if (this.#isHeld(onReady())) this.#held.push(() => resolve(ready));
          else resolve(ready);
        },
        (error: unknown) => {
          onReady();
          reject(error);
        },
      );
    });
  }

  /** Sends what waits. */
  flush(): void {
    const held = this.#held;
    this.#held = [];
    for (const release of held) release();
  }

  /**
   * Counts an answer; tells whether it has to wait. Those of requests that came one behind another on one connection are
   * one: the runtime would cut that connection at the second.
   */
  #isHeld(connection: number): boolean {
    if (connection !== this.#lastConnection) this.#came += 1;
    this.#lastConnection = connection;
    if (!this.#isEndAwaited) this.#awaitEnd();
    return this.#isBusy || this.#came >= MANY;
  }

  #awaitEnd(): void {
    this.#isEndAwaited = true;
    this.#afterTurn(this.#end);
  }

  #endTurn(): void {
    this.flush();
    // Those who were answered in one turn may come back in two: it takes both to be few again.
    this.#isBusy = this.#came >= MANY || (this.#isBusy && this.#came + this.#before >= MANY);
    this.#before = this.#came;
    this.#came = 0;
    this.#lastConnection = undefined;
    this.#isEndAwaited = false;
    // The next turn counts where none come, too.
    if (this.#isBusy) this.#awaitEnd();
  }
}
