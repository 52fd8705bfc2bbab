/** The number of requests of a service that run at one of its ports. */
export interface RequestCount {
  /** At least as many as run. */
  readonly size: number;
  /** Brings `size` closer to what runs. */
  forgetEnded(): void;
}

/** The number of requests that each new one checks: more than one, so that those that have ended do not accumulate. */
const CHECKED_BY_EACH = 2;

/**
 * The largest number of requests that are checked before one is refused: all of them if the process may have few
 * descriptors.
 */
const CHECKED_BEFORE_REFUSAL = 64;

/**
 * The requests of a service at a port that it shares with others. The runtime counts the port's requests only all
 * together, and does not report the end of one, but knows which still run.
 */
export class SharedPortCount implements RequestCount {
  /** The requests, beginning with those that were checked longest ago. */
  readonly #requests = new Set<Request>();
  readonly #isRunning: (request: Request) => boolean;

  constructor(isRunning: (request: Request) => boolean) {
    this.#isRunning = isRunning;
  }

  get size(): number {
    return this.#requests.size;
  }

  add(request: Request): void {
    this.#check(CHECKED_BY_EACH);
    this.#requests.add(request);
  }

  delete(request: Request): void {
    this.#requests.delete(request);
  }

  forgetEnded(): void {
    this.#check(CHECKED_BEFORE_REFUSAL);
  }

  #check(most: number): void {
    let left = Math.min(most, this.#requests.size);
    for (const request of this.#requests) {
      if (left === 0) return;
      left -= 1;
      this.#requests.delete(request);
      // Added again, it comes last.
      if (this.#isRunning(request)) this.#requests.add(request);
    }
  }
}
