import { RedisUnavailableError, type RedisConnection, type RedisScript } from '../redis-link.ts';
import type { LimitBucket } from './limiter.ts';

/** The number of requests that one script counts. It blocks Redis for less than a millisecond. */
const MOST_AT_ONCE = 64;

/** The number of requests that may wait to be counted. */
const MOST_WAITING = 10_000;

/** A request that Redis has counted. */
export interface Taken {
  readonly isAllowed: boolean;
  readonly windowStartedAtMs: number;
  readonly nowMs: number;
  readonly requestCount: number;
  readonly sentBytes: number;
  readonly reservedBytes: number;
}

export interface RedisTakesOptions {
  readonly link: RedisConnection;
  /** The script that counts, made by `takeScript`. */
  readonly script: RedisScript;
  /** The prefix of its keys. */
  readonly prefix: string;
  /** The script's arguments before those of the requests, read when it is sent. */
  readonly settings: () => readonly string[];
}

interface Waiting {
  readonly bucket: LimitBucket;
  readonly client: string;
  readonly times: number;
  readonly resolve: (taken: Taken) => void;
  readonly reject: (error: unknown) => void;
}

/** Counts requests in Redis in the order of the calls. Those of one turn of the event loop go together. */
export class RedisTakes {
  readonly #options: RedisTakesOptions;
  #next: Waiting[] = [];
  #waitingCount = 0;

  constructor(options: RedisTakesOptions) {
    this.#options = options;
  }

  /** Counts a request; rejects with RedisUnavailableError if Redis is away. */
  take(bucket: LimitBucket, client: string, times = 1): Promise<Taken> {
    if (this.#waitingCount >= MOST_WAITING) {
      return Promise.reject(new RedisUnavailableError('too many requests wait to be counted'));
    }
    return new Promise((resolve, reject) => {
      this.#waitingCount += 1;
      if (this.#next.length === 0) setImmediate(() => this.#countNext());
      this.#next.push({ bucket, client, times, resolve, reject });
    });
  }

  #countNext(): void {
    const waiting = this.#next;
    this.#next = [];
    for (let from = 0; from < waiting.length; from += MOST_AT_ONCE) {
      void this.#count(waiting.slice(from, from + MOST_AT_ONCE));
    }
  }

  async #count(some: readonly Waiting[]): Promise<void> {
    const { link, script, prefix, settings } = this.#options;
    const args = [...settings()];
    for (const { bucket, client, times } of some) args.push(bucket, client, String(times));
    try {
      // Guarantee: the script returns whole numbers in this order.
      const answer = (await link.run(script, [prefix], args)) as readonly number[];
      const [nowMs = 0] = answer;
      let at = 1;
      for (const { resolve } of some) {
        resolve({
          isAllowed: answer[at] === 1,
          windowStartedAtMs: answer[at + 1] ?? 0,
          nowMs,
          requestCount: answer[at + 2] ?? 0,
          sentBytes: answer[at + 3] ?? 0,
          reservedBytes: answer[at + 4] ?? 0,
        });
        at += 5;
      }
    } catch (error) {
      for (const { reject } of some) reject(error);
    } finally {
      this.#waitingCount -= some.length;
    }
  }
}
