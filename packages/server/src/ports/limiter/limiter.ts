import {
  RATE_LIMIT_NAMES,
  RATE_LIMITS,
  type RateLimitName,
  type RateLimitOf,
} from '@hearth/protocol';

/** What is counted, each with windows of its own: the limits of the protocol's table that a component counts. */
export type LimitBucket = RateLimitOf<'rest' | 'gateway' | 'files'>;

/** Every bucket. */
export const LIMIT_BUCKETS: readonly LimitBucket[] = RATE_LIMIT_NAMES.filter(isCounted);

/** The rule of one bucket. */
export interface LimitPolicy {
  readonly resetAfterMs: number;
  readonly limit: number;
  /** Bytes that may be uploaded in one window; absent where bytes are not limited. */
  readonly byteLimit?: number;
}

/** The rules of all buckets. */
export type LimitPolicies = Readonly<Record<LimitBucket, LimitPolicy>>;

/** The rules that `policyOf` gives the buckets. */
export function policiesBy(policyOf: (bucket: LimitBucket) => LimitPolicy): LimitPolicies {
  // Guarantee: each bucket has its entry.
  return Object.fromEntries(
    LIMIT_BUCKETS.map((bucket) => [bucket, policyOf(bucket)]),
  ) as LimitPolicies;
}

/** Windows that an engine keeps of all buckets together (LI6). */
export const MAX_WINDOWS = 350_000;

/** Where a client stands in one of its windows. */
export interface Standing {
  /** Requests that were let through in this window. */
  readonly requestCount: number;
  /** Bytes billed to this window. */
  readonly sentBytes: number;
  /** Bytes neither billed nor reserved; 0 where bytes are not limited. */
  readonly bytesLeft: number;
  /** Start of the window in Unix milliseconds, the same all through it. */
  readonly windowStartedAtMs: number;
  /** Whole milliseconds until the window has ended, at least 1. */
  readonly retryAfterMs: number;
}

/** One request, counted. A later standing of its window is had from the limiter. */
export interface Verdict extends Standing {
  readonly policy: LimitPolicy;
  readonly allowed: boolean;
  /** The engine's own handle on the window, which stays the request's even when a newer window has begun. */
  readonly window: object;
}

/**
 * Counts requests and bytes in fixed windows, one a client and bucket, beginning with the client's first request.
 * Every method is atomic: of any number of calls at once no more than the policy allows are let through or granted.
 * Memory is bounded whatever number of clients and limits there is: all buckets share the windows that an engine keeps. If
 * there is no room for one more, those that have ended go first, then the oldest of the bucket that has most. So a bucket
 * keeps its equal share whatever happens to the others, and as much more as they leave (LI6).
 */
export interface Limiter extends AsyncDisposable {
  /** Counts a request of `client`, this one included in the verdict. A refused request is not counted. */
  take(bucket: LimitBucket, client: string): Verdict | Promise<Verdict>;

  /** Sets aside up to `bytes` of what is left in the verdict's window; returns how many were granted. */
  reserve(verdict: Verdict, bytes: number): number | Promise<number>;

  /** Gives back `reserved` bytes of the verdict's window and bills `billed` of them (0 to `reserved`). */
  settle(verdict: Verdict, reserved: number, billed: number): void | Promise<void>;

  /** Where the verdict's window stands now. */
  standing(verdict: Verdict): Standing | Promise<Standing>;
}

function isCounted(name: RateLimitName): name is LimitBucket {
  return RATE_LIMITS[name].component !== 'nothing';
}
