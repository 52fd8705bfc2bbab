import type { Clock } from '../../clock.ts';
import {
  MAX_WINDOWS,
  type LimitBucket,
  type LimitPolicies,
  type LimitPolicy,
  type Limiter,
  type Standing,
  type Verdict,
} from './limiter.ts';

class Window {
  readonly client: string;
  readonly startedAtMs: number;
  readonly endsAt: number;
  requestCount = 0;
  sentBytes = 0;
  reservedBytes = 0;
  /** The window that began after this one, as long as both are kept. */
  next: Window | undefined;

  /** Starts in Unix time and ends in monotonic time. */
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
 * The windows of one bucket. All are equally long, so that the order in which they began is that in which they end.
 * They are chained in it because a map that loses its first entry again and again is slow to find its first.
 */
class BucketWindows {
  readonly #byClient = new Map<string, Window>();
  #oldest: Window | undefined;
  #newest: Window | undefined;

  /** The window of `client` that is running, or undefined. */
  running(client: string, now: number): Window | undefined {
    const window = this.#byClient.get(client);
    return window !== undefined && now < window.endsAt ? window : undefined;
  }

  /** Keeps a new window, of a client that has none running, and returns it; forgets those that have ended or are too many. */
  add(window: Window, now: number): Window {
    while (this.#oldest !== undefined && (now >= this.#oldest.endsAt || this.#isFull())) {
      this.#byClient.delete(this.#oldest.client);
      const { next } = this.#oldest;
      // A running upload may hold the window for long, but not those after it.
      this.#oldest.next = undefined;
      this.#oldest = next;
    }
    if (this.#oldest === undefined || this.#newest === undefined) this.#oldest = window;
    else this.#newest.next = window;
    this.#newest = window;
    this.#byClient.set(window.client, window);
    return window;
  }

  #isFull(): boolean {
    return this.#byClient.size >= MAX_WINDOWS;
  }
}

/**
 * The embedded engine: counts within this process. At about 250 bytes a window, seven full buckets hold some 90 MB.
 * Beyond {@link MAX_WINDOWS} the oldest is forgotten early, which only an attacker with that many addresses gains from, who has that
 * many allowances anyway.
 */
export function memoryLimiter(policies: LimitPolicies, clock: Clock): Limiter {
  const windows = noWindows();

  function currentWindow(bucket: LimitBucket, client: string, now: number): Window {
    const running = windows[bucket].running(client, now);
    if (running !== undefined) return running;
    // Unix time is read second: where a millisecond turns over in between, the window ends before the headers say, and
    // not after.
    const window = new Window(client, clock.unixMs(), now + policies[bucket].resetAfterMs);
    return windows[bucket].add(window, now);
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

  return {
    take(bucket, client): Verdict {
      const policy = policies[bucket];
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
    standing: (verdict) => standingOf(windowOf(verdict), verdict.policy, clock.monotonicMs()),
    async [Symbol.asyncDispose]() {},
  };
}

function noWindows(): Readonly<Record<LimitBucket, BucketWindows>> {
  return {
    info: new BucketWindows(),
    message_create: new BucketWindows(),
    message_list: new BucketWindows(),
    rate_limits: new BucketWindows(),
    gateway: new BucketWindows(),
    attachments: new BucketWindows(),
    fetch_file: new BucketWindows(),
  };
}

function windowOf(verdict: Verdict): Window {
  if (verdict.window instanceof Window) return verdict.window;
  throw new TypeError('the verdict is of another limiter');
}
