/** Bytes a socket that may be published between two looks at the sockets' buffers. */
export const SWEEP_BYTES = 1_500_000;

/** What the fan-out needs of the gateway. */
export interface FanOutOptions {
  /** Hands a text to the runtime for every open socket. */
  readonly publish: (text: string) => void;
  /** Closes every socket that has more waiting than it may. */
  readonly sweep: () => void;
  /** Told of a failure of `publish` or `sweep`. */
  readonly onFault: (error: unknown) => void;
  /** Lets the runtime write out what was published. */
  readonly nextTurn: () => Promise<void>;
}

/**
 * Sends events to every open socket in the order of `send`. The runtime drops silently what exceeds its own limit
 * for a socket, so after every {@link SWEEP_BYTES} events wait until the sockets' buffers have been looked at.
 * What waits is bounded by the requests in flight, because each of them waits with its event.
 */
export class FanOut {
  readonly #options: FanOutOptions;
  readonly #waiting: { readonly text: string; readonly resolve: () => void }[] = [];
  #bytesSinceSweep = 0;
  #isSweeping = false;

  constructor(options: FanOutOptions) {
    this.#options = options;
  }

  /** Hands the event to the runtime; where others wait before it, the promise resolves when that is done. */
  send(text: string): Promise<void> | undefined {
    if (this.#isSweeping) {
      return new Promise((resolve) => this.#waiting.push({ text, resolve }));
    }
    this.#publish(text);
    // Not awaited: this event is on its way, however many come behind it.
    if (this.#isSweepDue) void this.#sweepUntilQuiet();
    return undefined;
  }

  get #isSweepDue(): boolean {
    return this.#bytesSinceSweep >= SWEEP_BYTES;
  }

  async #sweepUntilQuiet(): Promise<void> {
    this.#isSweeping = true;
    while (this.#isSweepDue) {
      await this.#options.nextTurn();
      this.#bytesSinceSweep = 0;
      this.#guarded(this.#options.sweep);
      this.#publishWaiting();
    }
    this.#isSweeping = false;
  }

  #publishWaiting(): void {
    let count = 0;
    for (const { text, resolve } of this.#waiting) {
      if (this.#isSweepDue) break;
      this.#publish(text);
      resolve();
      count += 1;
    }
    this.#waiting.splice(0, count);
  }

  #publish(text: string): void {
    this.#guarded(() => this.#options.publish(text));
    this.#bytesSinceSweep += Buffer.byteLength(text);
  }

  // A failure must not keep those who wait from being served.
  #guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#options.onFault(error);
    }
  }
}
