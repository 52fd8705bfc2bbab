import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fakeClock } from '@hearth/testing/fake-clock';
import type { Clock } from '../../lib/clock.ts';
import { paceContract } from './limiter-pace.contract.ts';
import { limiterCommands, runLimiterCommands } from './limiter-model.contract.ts';
import {
  LIMIT_BUCKETS,
  policiesBy,
  type LimitBucket,
  type LimitPolicies,
  type Limiter,
  type LimitPolicy,
} from './limiter.ts';

/**
 * Opens the engine under test. Several may be open on the same store, so every test has its own clients. If a number of
 * windows is given, the engine has its own store.
 */
export type OpenLimiter = (
  policies: LimitPolicies,
  clock: Clock,
  mostWindows?: number,
) => Limiter | Promise<Limiter>;

const RESET_AFTER_MS = 5_000;
const LIMIT = 4;
const BYTE_LIMIT = 1_000;

const requests: LimitPolicy = { resetAfterMs: RESET_AFTER_MS, limit: LIMIT };
const policies: LimitPolicies = {
  ...policiesBy(() => requests),
  message_create: { resetAfterMs: 7_000, limit: 2 },
  message_list: { resetAfterMs: 3_000, limit: 5 },
  rate_limits: { resetAfterMs: 60_000, limit: 100 },
  gateway: { resetAfterMs: 10_000, limit: 1 },
  attachments: { ...requests, byteLimit: BYTE_LIMIT },
  fetch_file: { resetAfterMs: 1_000, limit: 3 },
};

/** Proves what every engine of the limiter promises. */
export function limiterContract(name: string, open: OpenLimiter, { skip = false } = {}): void {
  describe.skipIf(skip)(`the ${name} limiter`, () => {
    countingContract(open);
    windowContract(open);
    byteContract(open);
    boundContract(open);
    paceContract(open);

    test('[LI1][LI2][LI12][LI13] the limiter behaves like the model for any calls', async () => {
      const property = fc.asyncProperty(limiterCommands(policies), async (commands) => {
        const clock = fakeClock();
        await using limiter = await open(policies, clock);
        await runLimiterCommands(commands, { limiter, policies, clock });
      });
      await fc.assert(property);
    });
  });
}

function setUp(open: OpenLimiter) {
  const clock = fakeClock();
  const newClient = () => crypto.randomUUID();
  return { clock, newClient, client: newClient(), limiter: open(policies, clock) };
}

function countingContract(open: OpenLimiter): void {
  test('[LI1] as many requests as the limit are allowed in a window, and the next is refused', async () => {
    const { client, ...opened } = setUp(open);
    await using limiter = await opened.limiter;
    const allowed: boolean[] = [];
    for (let i = 0; i <= LIMIT; i += 1) allowed.push((await limiter.take('info', client)).allowed);
    expect(allowed).toEqual([true, true, true, true, false]);
  });

  test('[LI3] exactly as many of 100 requests at the same time as the limit are allowed', async () => {
    const { client, ...opened } = setUp(open);
    await using limiter = await opened.limiter;
    const taken = Array.from({ length: 100 }, async () => limiter.take('info', client));
    const verdicts = await Promise.all(taken);
    const counts = verdicts.filter(({ allowed }) => allowed).map((verdict) => verdict.requestCount);
    expect(counts.toSorted()).toEqual([1, 2, 3, 4]);
    expect(new Set(verdicts.map((verdict) => verdict.windowStartedAtMs)).size).toBe(1);
  });

  test('[LI1] each client and each limit is counted separately', async () => {
    const { client, newClient, ...opened } = setUp(open);
    await using limiter = await opened.limiter;
    for (let i = 0; i <= LIMIT; i += 1) await limiter.take('info', client);
    expect(await limiter.take('info', newClient())).toMatchObject({
      allowed: true,
      requestCount: 1,
    });
    const other = await limiter.take('message_create', client);
    expect(other).toMatchObject({
      allowed: true,
      requestCount: 1,
      policy: policies.message_create,
    });
  });

  test('[AC11] a client that may do it several times as often is refused after that', async () => {
    const { client, ...opened } = setUp(open);
    await using limiter = await opened.limiter;
    const allowed: boolean[] = [];
    for (let i = 0; i <= LIMIT * 3; i += 1) {
      const verdict = await limiter.take('info', client, 3);
      expect(verdict.policy.limit).toBe(LIMIT * 3);
      allowed.push(verdict.allowed);
    }
    expect(allowed).toEqual([...Array(LIMIT * 3).fill(true), false]);
  });

  test('[LI12] the request itself is counted, and refused ones are not', async () => {
    const { client, ...opened } = setUp(open);
    await using limiter = await opened.limiter;
    const counts: number[] = [];
    for (let i = 0; i < LIMIT + 3; i += 1) {
      counts.push((await limiter.take('info', client)).requestCount);
    }
    expect(counts).toEqual([1, 2, 3, 4, 4, 4, 4]);
  });
}

function windowContract(open: OpenLimiter): void {
  test('[LI2][LI11] a window begins with the first request, and the next one with the first after its end', async () => {
    const { client, clock, ...opened } = setUp(open);
    await using limiter = await opened.limiter;
    clock.advance(1_234);
    const startedAtMs = clock.unixMs();
    for (let i = 0; i < LIMIT; i += 1) await limiter.take('info', client);
    clock.advance(RESET_AFTER_MS - 1);
    expect(await limiter.take('info', client)).toMatchObject({
      allowed: false,
      requestCount: LIMIT,
      windowStartedAtMs: startedAtMs,
      retryAfterMs: 1,
    });
    clock.advance(777);
    expect(await limiter.take('info', client)).toMatchObject({
      allowed: true,
      requestCount: 1,
      windowStartedAtMs: startedAtMs + RESET_AFTER_MS - 1 + 777,
    });
  });

  test('[LI14] the first request at the end of a window is allowed, after exactly the reported wait', async () => {
    const { client, clock, ...opened } = setUp(open);
    await using limiter = await opened.limiter;
    for (let i = 0; i < LIMIT; i += 1) await limiter.take('info', client);
    const refused = { allowed: false, retryAfterMs: RESET_AFTER_MS };
    expect(await limiter.take('info', client)).toMatchObject(refused);
    clock.advance(RESET_AFTER_MS);
    expect((await limiter.take('info', client)).allowed).toBe(true);
  });
}

function byteContract(open: OpenLimiter): void {
  test('[LI13] the bytes left are those that are neither billed nor reserved', async () => {
    const { client, ...opened } = setUp(open);
    await using limiter = await opened.limiter;
    const verdict = await limiter.take('attachments', client);
    expect(verdict).toMatchObject({ sentBytes: 0, bytesLeft: BYTE_LIMIT });
    expect(await limiter.reserve(verdict, 300)).toBe(300);
    expect(await limiter.standing(verdict)).toMatchObject({ sentBytes: 0, bytesLeft: 700 });
    await limiter.settle(verdict, 300, 120);
    expect(await limiter.standing(verdict)).toMatchObject({ sentBytes: 120, bytesLeft: 880 });
    expect(await limiter.reserve(verdict, 881)).toBe(880);
    expect(await limiter.reserve(verdict, 1)).toBe(0);
    await limiter.settle(verdict, 880, 880);
    expect(await limiter.standing(verdict)).toMatchObject({ sentBytes: BYTE_LIMIT, bytesLeft: 0 });
  });

  test('[LI18] concurrent reservations never exceed what is left', async () => {
    const { client, ...opened } = setUp(open);
    await using limiter = await opened.limiter;
    const verdict = await limiter.take('attachments', client);
    const asked = Array.from({ length: 100 }, async () => limiter.reserve(verdict, 70));
    const granted = await Promise.all(asked);
    expect(granted.reduce((sum, bytes) => sum + bytes, 0)).toBe(BYTE_LIMIT);
    const settled = granted.map(async (bytes) => limiter.settle(verdict, bytes, bytes >> 1));
    await Promise.all(settled);
    const billed = granted.reduce((sum, bytes) => sum + (bytes >> 1), 0);
    const { sentBytes, bytesLeft } = await limiter.standing(verdict);
    expect([sentBytes, bytesLeft]).toEqual([billed, BYTE_LIMIT - billed]);
  });

  test('[LI17] a verdict stays with its own window after a newer one has begun', async () => {
    const { client, clock, ...opened } = setUp(open);
    await using limiter = await opened.limiter;
    const old = await limiter.take('attachments', client);
    expect(await limiter.reserve(old, 600)).toBe(600);
    clock.advance(RESET_AFTER_MS);
    const current = await limiter.take('attachments', client);
    expect(current).toMatchObject({ requestCount: 1, sentBytes: 0, bytesLeft: BYTE_LIMIT });
    expect(await limiter.reserve(old, BYTE_LIMIT)).toBe(400);
    await limiter.settle(old, 1_000, 900);
    expect(await limiter.standing(current)).toMatchObject({ sentBytes: 0, bytesLeft: BYTE_LIMIT });
    expect(await limiter.standing(old)).toMatchObject({
      requestCount: 1,
      sentBytes: 900,
      bytesLeft: 100,
      windowStartedAtMs: old.windowStartedAtMs,
      retryAfterMs: 1,
    });
  });

  test('[LI13] no bytes are left if bytes are not limited', async () => {
    const { client, ...opened } = setUp(open);
    await using limiter = await opened.limiter;
    const verdict = await limiter.take('info', client);
    expect(verdict).toMatchObject({ sentBytes: 0, bytesLeft: 0 });
    expect(await limiter.reserve(verdict, 1)).toBe(0);
  });
}

const SHARE = 10;
const BOUND = SHARE * LIMIT_BUCKETS.length;

function boundContract(open: OpenLimiter): void {
  const even = policiesBy(() => ({ resetAfterMs: 60_000, limit: 10 }));

  async function bounded() {
    const clock = fakeClock();
    const limiter = await open(even, clock, BOUND);
    const take = async (bucket: LimitBucket, client: number) => {
      // Windows that began in the same millisecond may be removed in any order.
      clock.advance(1);
      return (await limiter.take(bucket, `${client}`)).requestCount;
    };
    return {
      clock,
      isKept: async (bucket: LimitBucket, client: number) => (await take(bucket, client)) > 1,
      async fill(bucket: LimitBucket, from: number, to: number) {
        for (let client = from; client < to; client += 1) await take(bucket, client);
      },
      [Symbol.asyncDispose]: () => limiter[Symbol.asyncDispose](),
    };
  }

  test('[LI6] a single limit may use all windows, and then loses its oldest', async () => {
    await using limiter = await bounded();
    await limiter.fill('info', 0, BOUND);
    expect(await limiter.isKept('info', 0)).toBe(true);
    await limiter.fill('info', BOUND, BOUND + 1);
    expect(await limiter.isKept('info', 1)).toBe(true);
    expect(await limiter.isKept('info', 0)).toBe(false);
  });

  test('[LI6] a limit keeps its share while another is flooded, and the other gets the rest', async () => {
    await using limiter = await bounded();
    await limiter.fill('info', 0, BOUND);
    await limiter.fill('message_create', 0, SHARE);
    await limiter.fill('info', BOUND, 3 * BOUND);
    for (let client = 0; client < SHARE; client += 1) {
      expect(await limiter.isKept('message_create', client)).toBe(true);
    }
    expect(await limiter.isKept('info', 2 * BOUND + SHARE)).toBe(true);
    expect(await limiter.isKept('info', 2 * BOUND + SHARE - 1)).toBe(false);
  });

  test('[LI6] every limit keeps its full share while one of them is flooded', async () => {
    await using limiter = await bounded();
    for (const bucket of LIMIT_BUCKETS) await limiter.fill(bucket, 0, SHARE);
    await limiter.fill('info', SHARE, BOUND);
    for (const bucket of LIMIT_BUCKETS.filter((each) => each !== 'info')) {
      for (let client = 0; client < SHARE; client += 1) {
        expect(await limiter.isKept(bucket, client)).toBe(true);
      }
    }
  });

  test('[LI6] windows that have ended are removed first, of any limit', async () => {
    await using limiter = await bounded();
    await limiter.fill('message_create', 0, 5);
    limiter.clock.advance(30_000);
    await limiter.fill('info', 5, BOUND);
    limiter.clock.advance(30_000);
    await limiter.fill('fetch_file', 0, 5);
    for (let client = 5; client < BOUND; client += 1) {
      expect(await limiter.isKept('info', client)).toBe(true);
    }
  });
}
