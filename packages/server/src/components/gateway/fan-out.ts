/** What the fan-out needs of the gateway. */
export interface FanOutOptions<Event> {
  /** Hands an event to the runtime for every socket that follows. */
  readonly publish: (event: Event) => void;
  /** Whether so much was published that the sockets' buffers have to be checked. */
  readonly isSweepDue: () => boolean;
  /** Closes every socket that has more waiting than it may, and restarts the count. */
  readonly sweep: () => void;
  /** Called with a failure of `publish` or `sweep`. */
  readonly onFault: (error: unknown) => void;
  /** Lets the runtime handle what came in, and write out what was published. */
  readonly nextTurn: () => Promise<void>;
}

interface Waiting<Event> {
  /** Undefined for an entry that only waits for the ones before it. */
  readonly event: Event | undefined;
  /** Resolves the wait for the event to be handed on. */
  readonly resolve: (() => void) | undefined;
}

/**
 * Sends events to their followers in the order of `send`. All events of one turn of the event loop are sent together,
 * which costs a fraction of sending each with the request that it came with. The runtime silently drops what exceeds
 * its own limit for a socket, so after a number of bytes events wait until the sockets' buffers have been checked. The
 * requests in flight bound what waits, because each of them then waits with its event.
 */
export class FanOut<Event> {
  readonly #options: FanOutOptions<Event>;
  #waiting: Waiting<Event>[] = [];
  #isRunning = false;
  #isSweeping = false;

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
    return undefined;
  }

  /** Resolves when everything sent before is handed on; undefined if it already is. */
  settled(): Promise<void> | undefined {
    if (this.#waiting.length === 0) return undefined;
    return new Promise((resolve) => this.#waiting.push({ event: undefined, resolve }));
  }

  /** Hands on everything that waits at once, for the last time. */
  flush(): void {
    this.#publishWaiting(() => false);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    await this.#options.nextTurn();
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
