import type { Clock } from '../../clock.ts';
import type { LimitBucket, LimitPolicies, LimitPolicy, Limiter, Standing, Verdict } from './limiter.ts';

/** Windows kept a bucket; at about 250 bytes each, six full buckets hold some 75 MB. */
export const MAX_WINDOWS = 50_000;

class Window {
  readonly startedAtMs: number;
  readonly endsAt: number;
  requestCount = 0;
  sentBytes = 0;
  reservedBytes = 0;

  constructor(clock: Clock, policy: LimitPolicy) {
    this.startedAtMs = clock.unixMs();
    this.endsAt = clock.monotonicMs() + policy.resetAfterMs;
  }

  bytesLeft(policy: LimitPolicy): number {
    return Math.max(0, (policy.byteLimit ?? 0) - this.sentBytes - this.reservedBytes);
  }
}

/**
 * The embedded engine: counts within this process. At most {@link MAX_WINDOWS} windows are kept a bucket; beyond
 * that the oldest is forgotten early, which only an attacker with that many addresses gains from, who has that
 * many allowances anyway.
 */
export function memoryLimiter(policies: LimitPolicies, clock: Clock): Limiter {
  // All windows of a bucket are equally long, so a map in order of insertion is in order of expiry as well.
  const windows: Record<LimitBucket, Map<string, Window>> = {
    info: new Map(),
    message_create: new Map(),
    rate_limits: new Map(),
    pandemonium: new Map(),
    attachments: new Map(),
    fetch_file: new Map(),
  };

  function currentWindow(bucket: LimitBucket, client: string): Window {
    const ofBucket = windows[bucket];
    const now = clock.monotonicMs();
    const known = ofBucket.get(client);
    if (known !== undefined && now < known.endsAt) return known;
    ofBucket.delete(client);
    forgetOldest(ofBucket, now);
    const window = new Window(clock, policies[bucket]);
    ofBucket.set(client, window);
    return window;
  }

  function standingOf(window: Window, policy: LimitPolicy): Standing {
    return {
      requestCount: window.requestCount,
      sentBytes: window.sentBytes,
      bytesLeft: window.bytesLeft(policy),
      windowStartedAtMs: window.startedAtMs,
      retryAfterMs: Math.max(1, Math.ceil(window.endsAt - clock.monotonicMs())),
    };
  }

  return {
    take(bucket, client): Verdict {
      const policy = policies[bucket];
      const window = currentWindow(bucket, client);
      const allowed = window.requestCount < policy.limit;
      if (allowed) window.requestCount += 1;
      return { ...standingOf(window, policy), policy, allowed, window };
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
    standing: (verdict) => standingOf(windowOf(verdict), verdict.policy),
    async [Symbol.asyncDispose]() {
      for (const ofBucket of Object.values(windows)) ofBucket.clear();
    },
  };
}

function forgetOldest(windows: Map<string, Window>, now: number): void {
  for (const [client, window] of windows) {
    if (now < window.endsAt && windows.size < MAX_WINDOWS) return;
    windows.delete(client);
  }
}

function windowOf(verdict: Verdict): Window {
  if (verdict.window instanceof Window) return verdict.window;
  throw new TypeError('the verdict is of another limiter');
}
