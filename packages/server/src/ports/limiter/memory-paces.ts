import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import { MOST_PACED } from './limiter.ts';

/** When each client's last action was let through. */
export class Paces {
  readonly #clock: Clock;
  /** In monotonic milliseconds. Made when it is needed, because it takes memory for all its entries. */
  #lastAt: LRUCache<string, number> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(client: string, periodMs: number): number {
    this.#lastAt ??= new LRUCache({ max: MOST_PACED });
    const now = this.#clock.monotonicMs();
    // Does not count as a use: the client that has waited longest is forgotten first.
    const waitMs = (this.#lastAt.peek(client) ?? -Infinity) + periodMs - now;
    if (waitMs > 0) return waitMs;
    this.#lastAt.set(client, now);
    return 0;
  }
}
