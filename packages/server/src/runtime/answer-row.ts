import type { Send } from './served-service.ts';

/** Turns in which a connection has had one answer each, after which its answers may wait. */
export const TURNS_ALONE = 8;

const PORTS = 65_536;

/**
 * Sends the answers of a turn of the event loop in a row: the first at once, the others at the end of the turn. That costs
 * the system less than sending each beside the request that it came with. An answer never waits for another turn.
 *
 * The runtime cuts a connection whose next request arrives before the answer to the last one was sent (oven-sh/bun#38128). So
 * no answer waits until its connection has had several turns with one answer each: a client that pipelines gets several in one.
 */
export class AnswerRow {
  readonly #afterTurn: (end: () => void) => void;
  readonly #end = () => this.#endTurn();
  /** By the port at the other end: the last turn with an answer, and how many in a row had only one. */
  readonly #lastTurn = new Uint32Array(PORTS);
  readonly #turnsAlone = new Uint8Array(PORTS);
  #turn = 1;
  #isEndAwaited = false;
  #held: [resolve: Parameters<Send>[0], response: Response][] = [];

  /** `afterTurn` calls back when everything that the turn brought was handled. */
  constructor(afterTurn: (end: () => void) => void = setImmediate) {
    this.#afterTurn = afterTurn;
  }

  /** Returns a function that sends the answer to a request of the connection at this port. */
  sender(port: number): Send {
    return (resolve, response) => {
      const mayWait = this.#isAlone(port) && this.#isEndAwaited;
      if (!this.#isEndAwaited) {
        this.#isEndAwaited = true;
        this.#afterTurn(this.#end);
      }
      if (mayWait) this.#held.push([resolve, response]);
      else resolve(response);
    };
  }

  #isAlone(port: number): boolean {
    const turns = this.#turnsAlone[port] ?? 0;
    const isFirst = this.#lastTurn[port] !== this.#turn;
    this.#lastTurn[port] = this.#turn;
    if (!isFirst) this.#turnsAlone[port] = 0;
    else if (turns < TURNS_ALONE) this.#turnsAlone[port] = turns + 1;
    return isFirst && turns === TURNS_ALONE;
  }

  #endTurn(): void {
    const held = this.#held;
    this.#held = [];
    this.#isEndAwaited = false;
    this.#turn += 1;
    for (const [resolve, response] of held) resolve(response);
  }
}
