import type { Clock } from '../../lib/clock.ts';
import type { RedisConnection } from '../redis-link.ts';
import {
  LIMIT_BUCKETS,
  MAX_WINDOWS,
  MOST_PACED,
  multiplesOf,
  type LimitPolicies,
  type LimitPolicy,
  type Limiter,
  type Standing,
  type Verdict,
} from './limiter.ts';
import { CHANGE, PACE, takeScript } from './redis-scripts.ts';
import { RedisTakes, type Taken } from './redis-takes.ts';

export interface RedisLimiterOptions {
  readonly link: RedisConnection;
  readonly policies: LimitPolicies;
  /** The prefix of its keys. Limiters with the same prefix count together. */
  readonly prefix: string;
  /** The time for all limiters. Without it they use that of Redis, so that they agree to the millisecond. */
  readonly clock?: Pick<Clock, 'unixMs'>;
  readonly bounds?: WindowBounds;
}

/** The number of windows that are kept of all buckets together. */
export interface WindowBounds {
  readonly current: number;
  /** An equal share for each bucket. Past windows are kept for requests that still run in them. */
  readonly past: number;
}

const BOUNDS: WindowBounds = { current: MAX_WINDOWS, past: MAX_WINDOWS / 10 };
// Windows are kept after their end for running uploads. If the clock was set back, they are removed at this time.
const KEPT_AFTER_END_MS = 60_000;

interface Counts {
  readonly requestCount: number;
  readonly sentBytes: number;
  readonly reservedBytes: number;
}

/** A window in Redis, with its last known counts, from which it is restored if Redis has forgotten it. */
class Window {
  readonly #bucketKey: string;
  readonly #client: string;
  readonly startedAtMs: number;
  counts: Counts;

  constructor(bucketKey: string, client: string, taken: Taken) {
    this.#bucketKey = bucketKey;
    this.#client = client;
    this.startedAtMs = taken.windowStartedAtMs;
    this.counts = taken;
  }

  /** Its start and its client. */
  get id(): string {
    return `${this.startedAtMs}:${this.#client}`;
  }

  /** Its own key and that of the set of past windows. */
  get keys(): readonly string[] {
    return [`${this.#bucketKey}:${this.id}`, `${this.#bucketKey}:past`];
  }
}

// Guarantee: the scripts return whole numbers in this order.
type CountsAnswer = readonly [requestCount: number, sentBytes: number, reservedBytes: number];
type ChangeAnswer = readonly [granted: number, nowMs: number, ...CountsAnswer];

/** A change to a window, in bytes. */
interface Change {
  readonly reserve?: number;
  readonly giveBack?: number;
  readonly bill?: number;
}

/**
 * The shared engine, which counts in Redis across processes. It needs one round trip for all requests of a turn of the
 * event loop, and one for any other call. At most {@link MAX_WINDOWS} windows are kept, and a tenth as many past ones.
 * A window expires a minute after it has ended and was last used. Rejects with RedisUnavailableError if Redis is away.
 */
export function redisLimiter(options: RedisLimiterOptions): Limiter {
  const { link, policies, prefix, clock, bounds = BOUNDS } = options;
  const multiple = multiplesOf(policies);
  const maxPast = Math.floor(bounds.past / LIMIT_BUCKETS.length);
  const now = () => (clock === undefined ? '' : String(clock.unixMs()));
  const kept = [KEPT_AFTER_END_MS, bounds.current, maxPast].map(String);
  const script = takeScript(policies);
  const takes = new RedisTakes({ link, script, prefix, settings: () => [now(), ...kept] });

  async function change(verdict: Verdict, asked: Change) {
    const { policy } = verdict;
    const window = windowOf(verdict);
    const { requestCount, sentBytes, reservedBytes } = window.counts;
    const { reserve = 0, giveBack = 0, bill = 0 } = asked;
    const args = [reserve, giveBack, bill, policy.byteLimit ?? 0, keptMs(policy), maxPast];
    const known = [requestCount, sentBytes, reservedBytes];
    const answer = await link.run(CHANGE, window.keys, [
      ...args.map(String),
      window.id,
      now(),
      ...known.map(String),
    ]);
    const [granted, nowMs, ...counts] = answer as ChangeAnswer;
    window.counts = countsOf(counts);
    return { granted, standing: standingOf(window, policy, nowMs) };
  }

  return {
    async take(bucket, client, times = 1): Promise<Verdict> {
      const taken = await takes.take(bucket, client, times);
      const { isAllowed: allowed, nowMs, requestCount, sentBytes, windowStartedAtMs } = taken;
      const policy = multiple(times)[bucket];
      return {
        requestCount,
        sentBytes,
        bytesLeft: bytesLeft(taken, policy),
        windowStartedAtMs,
        retryAfterMs: retryAfterMs(windowStartedAtMs, policy, nowMs),
        policy,
        allowed,
        window: new Window(`${prefix}${bucket}`, client, taken),
      };
    },
    async reserve(verdict, bytes) {
      return (await change(verdict, { reserve: bytes })).granted;
    },
    async settle(verdict, reserved, billed) {
      await change(verdict, { giveBack: reserved, bill: billed });
    },
    pace: async (client, periodMs) => {
      const args = [client, periodMs, MOST_PACED].map(String);
      return Number(await link.run(PACE, [`${prefix}paces`], [...args, now()]));
    },
    standing: async (verdict) => (await change(verdict, {})).standing,
    // The link belongs to the caller that opened it.
    async [Symbol.asyncDispose]() {},
  };
}

function keptMs({ resetAfterMs }: LimitPolicy): number {
  return Math.ceil(resetAfterMs) + KEPT_AFTER_END_MS;
}

function countsOf([requestCount, sentBytes, reservedBytes]: CountsAnswer): Counts {
  return { requestCount, sentBytes, reservedBytes };
}

function standingOf(window: Window, policy: LimitPolicy, nowMs: number): Standing {
  const { counts, startedAtMs } = window;
  return {
    requestCount: counts.requestCount,
    sentBytes: counts.sentBytes,
    bytesLeft: bytesLeft(counts, policy),
    windowStartedAtMs: startedAtMs,
    retryAfterMs: retryAfterMs(startedAtMs, policy, nowMs),
  };
}

function bytesLeft({ sentBytes, reservedBytes }: Counts, { byteLimit }: LimitPolicy): number {
  return byteLimit === undefined ? 0 : Math.max(0, byteLimit - sentBytes - reservedBytes);
}

function retryAfterMs(startedAtMs: number, { resetAfterMs }: LimitPolicy, nowMs: number): number {
  return Math.max(1, Math.min(resetAfterMs, startedAtMs + resetAfterMs - nowMs));
}

function windowOf(verdict: Verdict): Window {
  if (verdict.window instanceof Window) return verdict.window;
  throw new TypeError('the verdict is of another limiter');
}
