import type { Id } from '@hearth/protocol';
import type { Clock } from '../../lib/clock.ts';

/** For how long the client of a message is known, in milliseconds. */
const KEPT_MS = 3_600_000;

/** How often clients that were kept for long enough are forgotten, in milliseconds. */
const FORGET_MS = 60_000;

/** How many messages are known at most. At about 150 bytes each, they take 15 MB. */
const MOST_MESSAGES = 100_000;

/** Who posted a message. */
interface Origin {
  readonly id: Id;
  readonly client: string;
  /** Monotonic milliseconds. */
  readonly notedAt: number;
}

/**
 * The clients that posted the newest messages. They are in the memory of this process alone, for an hour, and nowhere
 * else, so that an owner can ban the author of a message and nobody can look up who wrote an older one.
 */
export class MessageOrigins implements Disposable {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #stop: () => void;
  /** A ring: noting is done for every message, and finding for few. */
  readonly #ring: (Origin | undefined)[] = [];
  #next = 0;

  constructor(clock: Clock, most = MOST_MESSAGES) {
    [this.#clock, this.#most] = [clock, most];
    this.#stop = clock.every(FORGET_MS, () => this.#forget());
  }

  /** Remembers the client of a message. */
  note(id: Id, client: string): void {
    this.#ring[this.#next] = { id, client, notedAt: this.#clock.monotonicMs() };
    this.#next = (this.#next + 1) % this.#most;
  }

  /** The client that posted the message; undefined if it is not known, or no longer. */
  of(id: Id): string | undefined {
    this.#forget();
    return this.#ring.find((origin) => origin?.id === id)?.client;
  }

  [Symbol.dispose](): void {
    this.#stop();
    this.#ring.length = 0;
  }

  #forget(): void {
    const before = this.#clock.monotonicMs() - KEPT_MS;
    for (const [at, origin] of this.#ring.entries()) {
      if (origin !== undefined && origin.notedAt <= before) this.#ring[at] = undefined;
    }
  }
}
