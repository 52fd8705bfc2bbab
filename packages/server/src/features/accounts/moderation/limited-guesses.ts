import { RateLimitedError } from '@hearth/protocol';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/clock.ts';
import type { Limiter } from '../../../ports/limiter/limiter.ts';
import type { CodeGuesses } from '../../../restrictions.ts';

/** The number of clients without guesses left that are remembered. */
const MOST_CLIENTS = 10_000;

export interface LimitedGuessesOptions {
  readonly limiter: Pick<Limiter, 'take'>;
  readonly clock: Clock;
}

/**
 * Counts wrong access codes in the limit `auth`. Right ones are not counted, so a client without guesses left is
 * remembered here: otherwise it could still try whether a code is right.
 */
export class LimitedGuesses implements CodeGuesses {
  readonly #limiter: Pick<Limiter, 'take'>;
  readonly #clock: Clock;
  /** Until when each client has to wait, in monotonic milliseconds. */
  #waiting: LRUCache<string, number> | undefined;
  /** The wrong codes that are being counted, one of each client: no more than there are requests to answer. */
  readonly #counts = new Map<string, Promise<unknown>>();

  constructor({ limiter, clock }: LimitedGuessesOptions) {
    [this.#limiter, this.#clock] = [limiter, clock];
  }

  async isRight(client: string, compare: () => boolean): Promise<boolean> {
    // Otherwise many guesses could be compared before the first of them is counted.
    let count = this.#counts.get(client);
    while (count !== undefined) {
      await count;
      count = this.#counts.get(client);
    }
    const waitMs = this.#waitMs(client);
    if (waitMs > 0) throw new RateLimitedError(waitMs);
    if (compare()) return true;
    const counting = this.#count(client).finally(() => this.#counts.delete(client));
    this.#counts.set(
      client,
      counting.catch(() => undefined),
    );
    await counting;
    return false;
  }

  #waitMs(client: string): number {
    const until = this.#waiting?.get(client);
    return until === undefined ? 0 : Math.max(0, until - this.#clock.monotonicMs());
  }

  async #count(client: string): Promise<void> {
    const verdict = await this.#limiter.take('auth', client);
    const { allowed, requestCount, retryAfterMs, policy } = verdict;
    if (allowed && requestCount < policy.limit) return;
    this.#waiting ??= new LRUCache({ max: MOST_CLIENTS });
    this.#waiting.set(client, this.#clock.monotonicMs() + retryAfterMs);
    if (!allowed) throw new RateLimitedError(retryAfterMs);
  }
}
