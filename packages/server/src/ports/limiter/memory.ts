import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import {
  LIMIT_BUCKETS,
  MAX_WINDOWS,
  multiplesOf,
  MOST_PACED,
  type LimitBucket,
  type LimitPolicies,
  type LimitPolicy,
  type Limiter,
  type Standing,
  type Verdict,
} from './limiter.ts';

/** More than one, so that their number shrinks. */
const MOST_REMOVED_AT_ONCE = 10;

class Window {
  readonly client: string;
  readonly startedAtMs: number;
  readonly endsAt: number;
  requestCount = 0;
  sentBytes = 0;
  reservedBytes = 0;
  /** The window that began after this one, as long as both are kept. */
  next: Window | undefined;

  /** The start is in Unix time and the end in monotonic time. */
  constructor(client: string, startedAtMs: number, endsAt: number) {
    this.client = client;
    this.startedAtMs = startedAtMs;
    this.endsAt = endsAt;
  }

  retryAfterMs(now: number): number {
    return Math.max(1, this.endsAt - now);
  }

  bytesLeft(policy: LimitPolicy): number {
    return Math.max(0, (policy.byteLimit ?? 0) - this.sentBytes - this.reservedBytes);
  }
}

/**
 * The windows of one bucket. All have the same length, so that they end in the order in which they began. They form a
 * linked list, because finding the first entry of a map is slow after many first entries were removed.
 */
class BucketWindows {
  readonly #byClient = new Map<string, Window>();
  #oldest: Window | undefined;
  #newest: Window | undefined;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The running window of `client`, or undefined. */
  running(client: string, now: number): Window | undefined {
    const window = this.#byClient.get(client);
    return window !== undefined && now < window.endsAt ? window : undefined;
  }

  /** Adds a window for a client that has no running one. */
  add(window: Window): void {
    if (this.#oldest === undefined || this.#newest === undefined) this.#oldest = window;
    else this.#newest.next = window;
    this.#newest = window;
    this.#byClient.set(window.client, window);
    this.#count += 1;
  }

  /**
   * Removes windows that have ended, but only a few at once, because other requests wait meanwhile; returns how many.
   */
  removeEnded(now: number): number {
    let removed = 0;
    for (; removed < MOST_REMOVED_AT_ONCE; removed += 1) {
      if (this.#oldest === undefined || now < this.#oldest.endsAt) break;
      this.removeOldest();
    }
    return removed;
  }

  /** Removes the oldest window, if there is one. */
  removeOldest(): void {
    const oldest = this.#oldest;
    if (oldest === undefined) return;
    // The client may have a newer one.
    if (this.#byClient.get(oldest.client) === oldest) this.#byClient.delete(oldest.client);
    this.#oldest = oldest.next;
    // A running upload may keep the window in memory for long, but must not keep later ones.
    oldest.next = undefined;
    this.#count -= 1;
  }
}

/** The windows of all buckets, and the limit of their number. */
class Windows {
  readonly #most: number;
  readonly #byBucket = emptyBuckets();
  readonly #buckets = Object.values(this.#byBucket);
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The running window of `client`, or undefined. */
  running(bucket: LimitBucket, client: string, now: number): Window | undefined {
    return this.#byBucket[bucket].running(client, now);
  }

  /** Adds a window for a client that has no running one. */
  add(bucket: LimitBucket, window: Window, now: number): void {
    const windows = this.#byBucket[bucket];
    this.#count -= windows.removeEnded(now);
    if (this.#count >= this.#most) this.#makeRoom(windows, now);
    windows.add(window);
    this.#count += 1;
  }

  /** Makes room for a window of `adding`, which loses its own oldest if no bucket has more: then each has its share. */
  #makeRoom(adding: BucketWindows, now: number): void {
    for (const windows of this.#buckets) this.#count -= windows.removeEnded(now);
    if (this.#count < this.#most) return;
    let fullest = adding;
    for (const windows of this.#buckets) if (windows.count > fullest.count) fullest = windows;
    fullest.removeOldest();
    this.#count -= 1;
  }
}

// Guarantee: each bucket has its entry.
function emptyBuckets(): Readonly<Record<LimitBucket, BucketWindows>> {
  return Object.fromEntries(LIMIT_BUCKETS.map((bucket) => [bucket, new BucketWindows()])) as Record<
    LimitBucket,
    BucketWindows
  >;
}

/**
 * The embedded engine, which counts within this process. At about 250 bytes a window, {@link MAX_WINDOWS} take about 90
 * MB. Beyond that, windows are removed early. Only an attacker with that many addresses gains from this, and such an
 * attacker has that many allowances anyway.
 */
export function memoryLimiter(
  policies: LimitPolicies,
  clock: Clock,
  mostWindows = MAX_WINDOWS,
): Limiter {
  const windows = new Windows(mostWindows);
  const paces = new Paces(clock);
  const multiple = multiplesOf(policies);

  function currentWindow(bucket: LimitBucket, client: string, now: number): Window {
    const running = windows.running(bucket, client, now);
    if (running !== undefined) return running;
    // Unix time is read second: if a new millisecond begins in between, the window ends earlier than the headers say,
    // not later.
    const window = new Window(client, clock.unixMs(), now + policies[bucket].resetAfterMs);
    windows.add(bucket, window, now);
    return window;
  }

  return {
    take(bucket, client, times = 1): Verdict {
      const policy = multiple(times)[bucket];
      const now = clock.monotonicMs();
      const window = currentWindow(bucket, client, now);
      const allowed = window.requestCount < policy.limit;
      if (allowed) window.requestCount += 1;
      return {
        requestCount: window.requestCount,
        sentBytes: window.sentBytes,
        bytesLeft: window.bytesLeft(policy),
        windowStartedAtMs: window.startedAtMs,
        retryAfterMs: window.retryAfterMs(now),
        policy,
        allowed,
        window,
      };
    },
    reserve(verdict, bytes) {
      const window = windowOf(verdict);
      const granted = Math.min(bytes, window.bytesLeft(verdict.policy));
      window.reservedBytes += granted;
      return granted;
    },
    settle(verdict, reserved, billed) {
      const window = windowOf(verdict);
      window.reservedBytes -= reserved;
      window.sentBytes += billed;
    },
    pace: (client, periodMs) => paces.take(client, periodMs),
    standing: (verdict) => standingOf(windowOf(verdict), verdict.policy, clock.monotonicMs()),
    async [Symbol.asyncDispose]() {},
  };
}

function windowOf(verdict: Verdict): Window {
  if (verdict.window instanceof Window) return verdict.window;
  throw new TypeError('the verdict is of another limiter');
}

function standingOf(window: Window, policy: LimitPolicy, now: number): Standing {
  return {
    requestCount: window.requestCount,
    sentBytes: window.sentBytes,
    bytesLeft: window.bytesLeft(policy),
    windowStartedAtMs: window.startedAtMs,
    retryAfterMs: window.retryAfterMs(now),
  };
}

/** When each client's last action was let through. */
class Paces {
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
