import { RateLimitedError } from '@hearth/protocol';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import type { Limiter } from '../../ports/limiter/limiter.ts';
import type { CodeGuesses } from '../../restrictions.ts';

/** How many clients without guesses left are remembered. */
const MOST_CLIENTS = 10_000;

/**
 * Counts wrong access codes in the limit `auth`. Right ones are not counted, so a client without guesses left is
 * remembered here: otherwise it could still try whether a code is right.
 */
export class LimitedGuesses implements CodeGuesses {
  readonly #limiter: Limiter;
  readonly #clock: Clock;
  /** Until when each client has to wait, in monotonic milliseconds. */
  #waiting: LRUCache<string, number> | undefined;

  constructor({ limiter, clock }: { readonly limiter: Limiter; readonly clock: Clock }) {
    [this.#limiter, this.#clock] = [limiter, clock];
  }

  waitMs(client: string): number {
    const until = this.#waiting?.get(client);
    return until === undefined ? 0 : Math.max(0, until - this.#clock.monotonicMs());
  }

  async count(client: string): Promise<void> {
    const verdict = await this.#limiter.take('auth', client);
    const { allowed, requestCount, retryAfterMs, policy } = verdict;
    if (allowed && requestCount < policy.limit) return;
    this.#waiting ??= new LRUCache({ max: MOST_CLIENTS });
    this.#waiting.set(client, this.#clock.monotonicMs() + retryAfterMs);
    if (!allowed) throw new RateLimitedError(retryAfterMs);
  }
}
