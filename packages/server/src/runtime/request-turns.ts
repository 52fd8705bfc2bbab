/** The number of requests that begin in a turn of the event loop. */
export const BEGUN_IN_A_TURN = 32;

/** The most requests for one address that waited and are under way: enough to keep the place busy, and few enough to leave pauses. */
export const MOST_UNDER_WAY = 32;

/** The longest time that a request counts as under way, in milliseconds: others must not wait for one whose body never comes. */
export const UNDER_WAY_MS = 100;

/**
 * The longest time that a request waits because others are under way, in milliseconds. After it, the queue of the place decides
 * whether too much waits there.
 */
export const MOST_WAIT_MS = 1_000;

/** The time between two checks for requests that no longer count as under way, in milliseconds. */
const LOOK_MS = 25;

/** The end of a turn is awaited only after so many requests, because that costs more than counting them. */
const FEW = 8;

/** The clock of turns. */
export interface TurnTimes {
  /** Calls back when everything that the turn brought was received. */
  readonly afterTurn: (end: () => void) => unknown;
  readonly later: (callback: () => void, ms: number) => unknown;
  readonly nowMs: () => number;
}

const REAL_TIMES: TurnTimes = {
  afterTurn: setImmediate,
  later: setTimeout,
  nowMs: () => performance.now(),
};

/** Requests for an address of which some have waited. */
interface Crowd {
  /** Requests that wait, in their order. */
  readonly waiting: { readonly begin: () => void; readonly sinceMs: number }[];
  /** Requests that have waited and are under way, with the times when they began. */
  readonly running: Map<Disposable, number>;
}

/**
 * Lets requests for different addresses take turns if more come at the same time than can begin at once, so that nobody else waits
 * for a whole crowd that comes to one place. Of the crowd, only as many are under way as keep the place busy: if all were, those at
 * other places would have to share the processor with each of them.
 */
export class RequestTurns {
  readonly #times: TurnTimes;
  readonly #end = () => this.#endTurn();
  /** By their addresses; the one whose turn is next comes first. */
  readonly #crowds = new Map<string, Crowd>();
  /** Addresses of requests that have begun in this turn although as many had as may. */
  readonly #others = new Set<string>();
  #begun = 0;
  #isEndAwaited = false;
  #isLookAwaited = false;

  constructor(times: TurnTimes = REAL_TIMES) {
    this.#times = times;
  }

  /**
   * Resolves when a request may begin, with what is to be disposed of when it is answered; undefined if it may at once, as nearly
   * always.
   */
  wait(request: Pick<Request, 'url'>): Promise<Disposable> | undefined {
    const url = withoutQuery(request.url);
    if (this.#mayBegin(url)) {
      this.#begun += 1;
      if (this.#begun >= FEW) this.#awaitEnd();
      return undefined;
    }
    const crowd = this.#crowds.getOrInsertComputed(url, () => ({
      waiting: [],
      running: new Map(),
    }));
    const { promise, resolve } = Promise.withResolvers<Disposable>();
    const begin = () => resolve(this.#run(url, crowd));
    crowd.waiting.push({ begin, sinceMs: this.#times.nowMs() });
    this.#awaitEnd();
    return promise;
  }

  #mayBegin(url: string): boolean {
    const crowd = this.#crowds.get(url);
    if (crowd !== undefined && (crowd.waiting.length > 0 || this.#isFull(crowd))) return false;
    if (this.#begun < BEGUN_IN_A_TURN) return true;
    // Nobody waits for the next turn because of a crowd at another address, unless too many others come at the same time.
    if (this.#crowds.size === 0) return false;
    if (this.#others.size === BEGUN_IN_A_TURN || this.#others.has(url)) return false;
    this.#others.add(url);
    return true;
  }

  #isFull({ running, waiting: [first] }: Crowd): boolean {
    if (running.size < MOST_UNDER_WAY) return false;
    const nowMs = this.#times.nowMs();
    if (first !== undefined && nowMs - first.sinceMs >= MOST_WAIT_MS) return false;
    for (const [own, sinceMs] of running) {
      if (running.size < MOST_UNDER_WAY) return false;
      if (nowMs - sinceMs < UNDER_WAY_MS) return true;
      running.delete(own);
    }
    return false;
  }

  #run(url: string, crowd: Crowd): Disposable {
    const { waiting, running } = crowd;
    const own = {
      [Symbol.dispose]: () => {
        running.delete(own);
        if (waiting.length > 0) this.#awaitEnd();
        else if (running.size === 0 && this.#crowds.get(url) === crowd) this.#crowds.delete(url);
      },
    };
    running.set(own, this.#times.nowMs());
    return own;
  }

  #awaitEnd(): void {
    if (this.#isEndAwaited) return;
    this.#isEndAwaited = true;
    this.#times.afterTurn(this.#end);
  }

  #endTurn(): void {
    this.#isEndAwaited = false;
    this.#others.clear();
    this.#begun = 0;
    while (this.#begun < BEGUN_IN_A_TURN && this.#beginNext()) this.#begun += 1;
    if (this.#begun >= FEW) this.#awaitEnd();
    else if (this.#crowds.values().some(({ waiting }) => waiting.length > 0)) this.#lookLater();
  }

  #beginNext(): boolean {
    for (const [url, crowd] of this.#crowds) {
      if (this.#isFull(crowd)) continue;
      const next = crowd.waiting.shift();
      if (next === undefined) continue;
      this.#crowds.delete(url);
      this.#crowds.set(url, crowd);
      next.begin();
      return true;
    }
    return false;
  }

  #lookLater(): void {
    if (this.#isLookAwaited) return;
    this.#isLookAwaited = true;
    this.#times.later(() => {
      this.#isLookAwaited = false;
      this.#awaitEnd();
    }, LOOK_MS);
  }
}

/** The place that an address names, however it is asked. */
function withoutQuery(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
