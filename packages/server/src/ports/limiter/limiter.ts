import {
  RATE_LIMIT_NAMES,
  RATE_LIMITS,
  type RateLimitName,
  type RateLimitOf,
} from '@hearth/protocol';

/**
 * A limit that is counted: one of the limits of the protocol's table that a component counts. Each has its own windows.
 */
export type LimitBucket = RateLimitOf<'rest' | 'gateway' | 'files' | 'web'>;

/** Every bucket. */
export const LIMIT_BUCKETS: readonly LimitBucket[] = RATE_LIMIT_NAMES.filter(isCounted);

/** The rule of one bucket. */
export interface LimitPolicy {
  readonly resetAfterMs: number;
  readonly limit: number;
  /** Bytes that may be uploaded in one window; absent if bytes are not limited. */
  readonly byteLimit?: number;
}

/** The rules of all buckets. */
export type LimitPolicies = Readonly<Record<LimitBucket, LimitPolicy>>;

/** The rules that `policyOf` returns for the buckets. */
export function policiesBy(policyOf: (bucket: LimitBucket) => LimitPolicy): LimitPolicies {
  // Guarantee: each bucket has its entry.
  return Object.fromEntries(
    LIMIT_BUCKETS.map((bucket) => [bucket, policyOf(bucket)]),
  ) as LimitPolicies;
}

/** Returns the rules that allow so many times as many requests. They are made once, because requests with a token need them. */
export function multiplesOf(policies: LimitPolicies): (times: number) => LimitPolicies {
  const known = new Map([[1, policies]]);
  return (times) => {
    let multiple = known.get(times);
    if (multiple === undefined) {
      multiple = policiesBy((bucket) => ({
        ...policies[bucket],
        limit: policies[bucket].limit * times,
      }));
      known.set(times, multiple);
    }
    return multiple;
  };
}

/** The number of windows that an engine keeps of all buckets together (LI6). */
export const MAX_WINDOWS = 350_000;

/** The number of clients that an engine remembers for {@link Limiter.pace}. */
export const MOST_PACED = 100_000;

/** The counts of a client in one of its windows. */
export interface Standing {
  /** Requests that were allowed in this window. */
  readonly requestCount: number;
  /** Bytes billed to this window. */
  readonly sentBytes: number;
  /** Bytes that are neither billed nor reserved; 0 if bytes are not limited. */
  readonly bytesLeft: number;
  /** Start of the window in Unix milliseconds. It never changes. */
  readonly windowStartedAtMs: number;
  /** Whole milliseconds until the window ends, at least 1. */
  readonly retryAfterMs: number;
}

/** The result for one counted request. The limiter returns later standings of its window. */
export interface Verdict extends Standing {
  readonly policy: LimitPolicy;
  readonly allowed: boolean;
  /** The engine's handle on the window. It stays the same after a newer window has begun. */
  readonly window: object;
}

/**
 * Counts requests and bytes in fixed windows. Each client and bucket has its own window, which begins with the client's
 * first request. Every method is atomic: concurrent calls together are never granted more than the policy allows.
 *
 * Memory is bounded for any number of clients and limits, because all buckets share the windows that an engine keeps.
 * If there is no room for one more, windows that have ended are removed first, then the oldest of the bucket that has
 * most. So every bucket keeps an equal share, and as much more as the others leave (LI6).
 */
export interface Limiter extends AsyncDisposable {
  /**
   * Counts a request of `client`, which the verdict includes. A refused request is not counted. The client may make
   * `times` as many requests as the bucket's limit, by default once.
   */
  take(bucket: LimitBucket, client: string, times?: number): Verdict | Promise<Verdict>;

  /** Reserves up to `bytes` of what is left in the verdict's window, and returns how many were granted. */
  reserve(verdict: Verdict, bytes: number): number | Promise<number>;

  /** Releases `reserved` bytes in the verdict's window and bills `billed` of them (0 to `reserved`). */
  settle(verdict: Verdict, reserved: number, billed: number): void | Promise<void>;

  /**
   * Lets one action of each client through in `periodMs`, whenever the client's last one was let through. Returns 0 for an
   * action that is let through, otherwise the whole milliseconds until the next one may be. At most {@link MOST_PACED}
   * clients are remembered; if there are more, the one that has waited longest is forgotten.
   */
  pace(client: string, periodMs: number): number | Promise<number>;

  /** The current standing of the verdict's window. */
  standing(verdict: Verdict): Standing | Promise<Standing>;
}

function isCounted(name: RateLimitName): name is LimitBucket {
  return RATE_LIMITS[name].component !== 'nothing';
}
