import type { RedisConnection } from '../redis-link.ts';
import type { Subscription } from './bus.ts';
import type { RedisReader } from './redis-reader.ts';
import { readStreamPlace, type StreamKeys, type StreamPlace } from './redis-stream.ts';

/** The time that it may take to learn the stream's newest place, and to get there. */
const CURRENT_BY_MS = 2_500;

interface Waiting {
  readonly head: StreamPlace;
  readonly resolve: () => void;
}

export interface RedisSubscriptionOptions {
  /** A connection on which nothing blocks, so not the reader's. */
  readonly link: RedisConnection;
  readonly keys: StreamKeys;
  readonly reader: () => Pick<RedisReader, 'place'> | undefined;
  /** Ends the reader. */
  readonly end: () => void;
}

/** A follower's place in the shared stream. */
export class RedisSubscription implements Subscription {
  readonly #options: RedisSubscriptionOptions;
  readonly #waiting = new Set<Waiting>();
  #asking: Promise<StreamPlace> | undefined;
  #askingNext: Promise<StreamPlace> | undefined;

  constructor(options: RedisSubscriptionOptions) {
    this.#options = options;
  }

  /** Resolves when the reader is where the stream was at the call. */
  current(): Promise<void> {
    return new Promise((resolve, reject) => {
      let own: Waiting | undefined;
      let isOver = false;
      const timer = setTimeout(() => {
        isOver = true;
        if (own !== undefined) this.#waiting.delete(own);
        reject(new Error('it is not known whether all events have arrived'));
      }, CURRENT_BY_MS);
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#head().then(
        (head) => {
          if (isOver) return;
          if (this.#hasReached(head)) return done();
          own = { head, resolve: done };
          this.#waiting.add(own);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(error);
        },
      );
    });
  }

  unsubscribe(): void {
    this.#options.end();
  }

  /** Called when the reader has moved on. */
  progress(): void {
    for (const each of this.#waiting) {
      if (!this.#hasReached(each.head)) continue;
      this.#waiting.delete(each);
      each.resolve();
    }
  }

  #hasReached(head: StreamPlace): boolean {
    const place = this.#options.reader()?.place;
    if (place === undefined) return false;
    if (place.epoch === head.epoch) return place.number >= head.number;
    return Number(place.generation) > Number(head.generation);
  }

  // Concurrent callers share one request. A request that is already under way may be older than the call.
  #head(): Promise<StreamPlace> {
    if (this.#asking === undefined) {
      return (this.#asking = this.#askHead().finally(() => {
        this.#asking = undefined;
      }));
    }
    const before = this.#asking.catch(() => {});
    return (this.#askingNext ??= before.then(() => {
      this.#askingNext = undefined;
      return this.#head();
    }));
  }

  async #askHead(): Promise<StreamPlace> {
    const { link, keys } = this.#options;
    const { head } = await readStreamPlace(link, keys, { after: undefined, count: 1 });
    return head;
  }
}
