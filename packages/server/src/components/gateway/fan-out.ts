/**
 * The pace at which an event is sent: in the next turn, together with others like it if they are about to come, or with
 * any others.
 */
export type Pace = 'next turn' | 'gathered' | 'any';

/** Functions of the event loop that the fan-out needs. */
export interface EventLoop {
  /** Lets the runtime handle what came in, and write out what was published. */
  readonly nextTurn: () => Promise<void>;
  /** Resolves when a gathered event has waited long enough for the next one. */
  readonly moment: () => Promise<void>;
}

export interface FanOutOptions<Event> extends EventLoop {
  /** Hands an event to the runtime for every socket that follows. */
  readonly publish: (event: Event) => void;
  /** Returns whether so much was published that the sockets' buffers have to be checked. */
  readonly isSweepDue: () => boolean;
  /** Closes every socket that has more waiting than it may, and restarts the count. */
  readonly sweep: () => void;
  /** Called with a failure of `publish` or `sweep`. */
  readonly onFault: (error: unknown) => void;
  readonly paceOf: (event: Event) => Pace;
}

/** The time that a gathered event waits for the next one, if there were more before. */
const MOMENT_MS = 1;

export const EVENT_LOOP: EventLoop = {
  nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
  moment: () => new Promise((resolve) => setTimeout(resolve, MOMENT_MS)),
};

/** The runtime writes this many events to a socket with one system call. */
const MOST_TOGETHER = 32;

interface Waiting<Event> {
  /** Undefined for an entry that only waits for the ones before it. */
  readonly event: Event | undefined;
  /** Resolves the wait for the event to be handed on. */
  readonly resolve: (() => void) | undefined;
}

/**
 * Sends events to their followers in the order of `send`. All events of one turn of the event loop are sent together,
 * which costs a fraction of sending each with the request that it came with. Some are gathered over several turns. The
 * runtime silently drops what exceeds its own limit for a socket, so after a number of bytes events wait until the
 * sockets' buffers have been checked. The requests in flight bound what waits, because each of them then waits with its
 * event.
 */
export class FanOut<Event> {
  readonly #options: FanOutOptions<Event>;
  #waiting: Waiting<Event>[] = [];
  #isRunning = false;
  #isSweeping = false;
  /** True if something waits that is to be sent in the next turn. */
  #isUrgent = false;
  /** The number of gathered events that wait, and of those that were sent together the last time. */
  #gathered = 0;
  #lastGathered = 0;
  #endMoment: (() => void) | undefined;

  constructor(options: FanOutOptions<Event>) {
    this.#options = options;
  }

  /** Hands the event to the runtime soon. If others have to wait, the promise resolves when that is done. */
  send(event: Event): Promise<void> | undefined {
    if (!this.#isRunning) void this.#run();
    if (this.#isSweeping) {
      return new Promise((resolve) => this.#waiting.push({ event, resolve }));
    }
    this.#waiting.push({ event, resolve: undefined });
    const pace = this.#options.paceOf(event);
    if (pace === 'next turn') this.#hurry();
    else if (pace === 'gathered') {
      this.#gathered += 1;
      if (this.#gathered >= this.#lastGathered) this.#endMoment?.();
    }
    return undefined;
  }

  /** Resolves when everything sent before is handed on; undefined if it already is. */
  settled(): Promise<void> | undefined {
    if (this.#waiting.length === 0) return undefined;
    this.#hurry();
    return new Promise((resolve) => this.#waiting.push({ event: undefined, resolve }));
  }

  /** Hands on everything that waits at once, for the last time. */
  flush(): void {
    this.#publishWaiting(() => false);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    await this.#gather();
    this.#publishWaiting(this.#options.isSweepDue);
    while (this.#options.isSweepDue()) {
      this.#isSweeping = true;
      await this.#options.nextTurn();
      this.#sweep();
      this.#publishWaiting(this.#options.isSweepDue);
    }
    this.#isSweeping = false;
    this.#isRunning = false;
  }

  /**
   * Waits for the next turn. If there are gathered events and nothing is urgent, waits on as long as every turn brings more. If there
   * were more the last time, others are probably on their way, and get another moment: what sending costs depends on how often
   * a socket is written to, and hardly on how much.
   */
  async #gather(): Promise<void> {
    const { nextTurn } = this.#options;
    for (let count = -1; count !== this.#gathered;) {
      count = this.#gathered;
      await nextTurn();
      if (this.#isUrgent || this.#gathered === 0 || this.#gathered >= MOST_TOGETHER) break;
      if (this.#gathered === count && count < this.#lastGathered) await this.#moment();
    }
    if (this.#gathered > 0) this.#lastGathered = this.#gathered;
    this.#gathered = 0;
    this.#isUrgent = false;
  }

  #hurry(): void {
    this.#isUrgent = true;
    this.#endMoment?.();
  }

  /** Resolves after a moment, or as soon as nothing more is to be waited for. */
  async #moment(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endMoment = resolve;
    void this.#options.moment().then(resolve);
    await promise;
    this.#endMoment = undefined;
  }

  #publishWaiting(mustStop: () => boolean): void {
    const waiting = this.#waiting;
    let count = 0;
    for (const { event, resolve } of waiting) {
      if (mustStop()) break;
      try {
        if (event !== undefined) this.#options.publish(event);
      } catch (error) {
        // It must not delay the requests that wait.
        this.#options.onFault(error);
      }
      resolve?.();
      count += 1;
    }
    this.#waiting = count === waiting.length ? [] : waiting.slice(count);
  }

  #sweep(): void {
    try {
      this.#options.sweep();
    } catch (error) {
      this.#options.onFault(error);
    }
  }
}
