import type { Id, Watch } from '@hearth/protocol';
import type { SdkClock } from '../clock.ts';

/** The things to watch. What is left out is not watched; the first ids up to the instance's bounds count. */
export interface Watched {
  /** Reports who writes there: `typing`. */
  readonly channels?: readonly Id[] | undefined;
  /** Reports who is there, joins, leaves and changes: `presence`, `member`, `memberRemoved`, `user`. */
  readonly communities?: readonly Id[] | undefined;
  /** People of whom it is watched whether they are there: `presence`. */
  readonly users?: readonly Id[] | undefined;
  readonly posts?: readonly Id[] | undefined;
}

export interface WatcherOptions {
  readonly clock: SdkClock;
  readonly life: AbortSignal;
  send(payload: Watch): void;
}

/** The least time between two changes: gateways limit what a client sends. */
const LEAST_INTERVAL_MS = 2_000;

/** Keeps the gateway informed of what is watched: after each change, and after each connection. */
export class Watcher {
  readonly #options: WatcherOptions;
  #wanted: Watched = {};
  /** The posts that are open, the one opened last last, with how often. */
  readonly #openPosts = new Map<Id, number>();
  #isOpen = false;
  /** True if the gateway knows what is wanted, as far as is known. */
  #isSent = true;
  #lastSentAtMs = -Infinity;
  #stopTimer: (() => void) | undefined;

  constructor(options: WatcherOptions) {
    this.#options = options;
    options.life.addEventListener('abort', () => this.#stopTimer?.(), { once: true });
  }

  /** Watches this and nothing else. */
  watch(wanted: Watched): void {
    if (isSame(wanted, this.#wanted)) return;
    this.#wanted = wanted;
    this.#isSent = false;
    this.#sendSoon(0);
  }

  /** Watches a post, too, until the returned function is called. */
  watchPost(id: Id): () => void {
    const times = this.#openPosts.get(id) ?? 0;
    this.#openPosts.delete(id);
    this.#openPosts.set(id, times + 1);
    this.#isSent = false;
    this.#sendSoon(0);
    return () => this.#closePost(id);
  }

  /** True if somebody is watched. */
  get isWatching(): boolean {
    const wanted = Object.values({ ...this.#wanted, posts: this.#posts });
    return wanted.some((ids: readonly Id[] = []) => ids.length > 0);
  }

  /** A new connection watches nothing. */
  opened(): void {
    this.#isOpen = true;
    this.#lastSentAtMs = -Infinity;
    this.#isSent = !this.isWatching;
    this.#sendSoon(0);
  }

  /**
   * Notes that what is watched of a community was ended, as after its membership: asking again may show what others
   * see.
   */
  ended(communityId: Id): void {
    if (this.#wanted.communities?.includes(communityId) !== true) return;
    this.#isSent = false;
    this.#sendSoon(0);
  }

  left(): void {
    this.#isOpen = false;
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  /** The gateway has ignored a payload, which may have been this one. */
  limited(retryAfterMs: number): void {
    if (!this.#isOpen || !this.isWatching) return;
    this.#isSent = false;
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    this.#sendSoon(retryAfterMs);
  }

  /** Somebody else is signed in, or nobody. */
  forget(): void {
    this.left();
    this.#wanted = {};
    this.#isSent = true;
  }

  /** The posts to watch, beginning with those that were opened last, because only the first ones count. */
  get #posts(): readonly Id[] {
    const open = [...this.#openPosts.keys()].toReversed();
    return [...new Set([...open, ...(this.#wanted.posts ?? [])])];
  }

  #closePost(id: Id): void {
    const times = this.#openPosts.get(id) ?? 0;
    if (times > 1) return void this.#openPosts.set(id, times - 1);
    this.#openPosts.delete(id);
    this.#isSent = false;
    this.#sendSoon(0);
  }

  #sendSoon(delayMs: number): void {
    const { clock, life } = this.#options;
    if (this.#isSent || !this.#isOpen || this.#stopTimer !== undefined || life.aborted) return;
    const restMs = Math.max(delayMs, this.#lastSentAtMs + LEAST_INTERVAL_MS - clock.now());
    if (restMs <= 0) return this.#send();
    this.#stopTimer = clock.after(restMs, () => {
      this.#stopTimer = undefined;
      this.#send();
    });
  }

  #send(): void {
    const { channels = [], communities = [], users = [] } = this.#wanted;
    this.#isSent = true;
    this.#lastSentAtMs = this.#options.clock.now();
    this.#options.send({
      op: 'WATCH',
      d: {
        channels: [...channels],
        communities: [...communities],
        users: [...users],
        posts: [...this.#posts],
      },
    });
  }
}

function isSame(one: Watched, other: Watched): boolean {
  const listed = ({ channels = [], communities = [], users = [], posts = [] }: Watched) =>
    JSON.stringify([channels, communities, users, posts]);
  return listed(one) === listed(other);
}
