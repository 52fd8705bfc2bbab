/** How many requests begin in a turn of the event loop. */
export const BEGUN_IN_A_TURN = 32;

/** The end of a turn is looked for only after so many requests, because that costs more than to count them. */
const FEW = 8;

/**
 * Lets requests for different addresses take turns if more come at the same time than can begin at once, so that nobody else waits
 * for a whole crowd that comes to one place.
 */
export class RequestTurns {
  readonly #afterTurn: (end: () => void) => void;
  readonly #end = () => this.#endTurn();
  /** Functions that begin the requests that wait, by their addresses; the address whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Addresses of requests that have begun in this turn although as many had as may. */
  readonly #others = new Set<string>();
  #begun = 0;

  /** `afterTurn` calls back when everything that the turn brought was received. */
  constructor(afterTurn: (end: () => void) => void = setImmediate) {
    this.#afterTurn = afterTurn;
  }

  /** Resolves when a request may begin; undefined if it may at once, as nearly always. */
  wait({ url }: Pick<Request, 'url'>): Promise<void> | undefined {
    if (this.#mayBegin(url)) {
      this.#begun += 1;
      if (this.#begun === FEW) this.#afterTurn(this.#end);
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.getOrInsertComputed(url, () => []).push(resolve);
    return promise;
  }

  /** Nobody waits for the next turn because of a crowd at another address, unless too many others come at the same time. */
  #mayBegin(url: string): boolean {
    if (this.#waiting.size === 0) return this.#begun < BEGUN_IN_A_TURN;
    if (this.#waiting.has(url)) return false;
    if (this.#begun < BEGUN_IN_A_TURN) return true;
    if (this.#others.size === BEGUN_IN_A_TURN || this.#others.has(url)) return false;
    this.#others.add(url);
    return true;
  }

  #endTurn(): void {
    this.#others.clear();
    this.#begun = 0;
    while (this.#begun < BEGUN_IN_A_TURN && this.#beginNext()) this.#begun += 1;
    if (this.#begun >= FEW) this.#afterTurn(this.#end);
  }

  #beginNext(): boolean {
    const [next] = this.#waiting;
    if (next === undefined) return false;
    const [url, own] = next;
    own.shift()?.();
    this.#waiting.delete(url);
    if (own.length > 0) this.#waiting.set(url, own);
    return true;
  }
}
