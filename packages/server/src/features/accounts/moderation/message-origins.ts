import type { Id } from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';

/** For how long the client of a message is known, in milliseconds. */
const KEPT_MS = 3_600_000;

/** The time in milliseconds after which clients that were kept for long enough are forgotten. */
const FORGET_MS = 60_000;

/** The largest number of messages that are known. */
const MOST_MESSAGES = 50_000;

/**
 * The clients that posted the newest messages. They are in the memory of this process alone, for an hour, and nowhere
 * else, so that an owner can ban the author of a message and nobody can look up who wrote an older one.
 */
export class MessageOrigins implements Disposable {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #stop: () => void;
  // A ring of columns, which take half the memory of objects. Noting is done for every message, and finding for few.
  readonly #ids: (Id | undefined)[] = [];
  readonly #clients: string[] = [];
  /** In monotonic milliseconds. */
  readonly #notedAt: number[] = [];
  #next = 0;

  constructor(clock: Clock, most = MOST_MESSAGES) {
    [this.#clock, this.#most] = [clock, most];
    this.#stop = clock.every(FORGET_MS, () => this.#forget());
  }

  /** Remembers the client of a message. */
  note(id: Id, client: string): void {
    const at = this.#next;
    this.#ids[at] = id;
    this.#clients[at] = client;
    this.#notedAt[at] = this.#clock.monotonicMs();
    this.#next = (at + 1) % this.#most;
  }

  /** The client that posted the message; undefined if it is not known, or no longer. */
  of(id: Id): string | undefined {
    this.#forget();
    return this.#clients[this.#ids.indexOf(id)];
  }

  [Symbol.dispose](): void {
    this.#stop();
    this.#ids.length = 0;
    this.#clients.length = 0;
  }

  #forget(): void {
    const before = this.#clock.monotonicMs() - KEPT_MS;
    for (const [at, notedAt] of this.#notedAt.entries()) {
      if (notedAt > before || this.#ids[at] === undefined) continue;
      this.#ids[at] = undefined;
      this.#clients[at] = '';
    }
  }
}

export interface KeepsOrigins {
  readonly origins: MessageOrigins;
}
