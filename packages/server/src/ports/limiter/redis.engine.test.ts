import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fakeClock, type FakeClock } from '@hearth/testing/fake-clock';
import { isRedisMissing, startRedisServer } from '@hearth/testing/servers/redis-server';
import { sharedRedis, type SharedRedis } from '@hearth/testing/servers/shared-redis';
import { jsonLogger } from '../../log/logger.ts';
import { keyPrefix } from '../redis-format.ts';
import { openRedisLink, RedisUnavailableError, type RedisLink } from '../redis-link.ts';
import { limiterCommands, runLimiterCommands } from './limiter-model.contract.ts';
import { limiterContract, type OpenLimiter } from './limiter.contract.ts';
import { LIMIT_BUCKETS, policiesBy, type LimitPolicies, type Limiter } from './limiter.ts';
import { redisLimiter } from './redis.ts';

const PREFIX = `${keyPrefix('test')}limit:`;
const bounds = { current: 50, past: 10 * LIMIT_BUCKETS.length };
const log = jsonLogger('silent', () => {});
const policy = { resetAfterMs: 60_000, limit: 3 };
const policies: LimitPolicies = {
  ...policiesBy(() => policy),
  attachments: { ...policy, byteLimit: 1_000 },
  fetch_file: { resetAfterMs: 1, limit: 1 },
};

let server: SharedRedis;
let links: readonly [RedisLink, RedisLink];

beforeAll(async () => {
  if (isRedisMissing) return;
  server = await sharedRedis();
  const { url } = server;
  links = [await openRedisLink({ url, log }), await openRedisLink({ url, log })];
});

afterAll(async () => {
  if (isRedisMissing) return;
  for (const link of links) await link[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const open: OpenLimiter = (ofTest, clock, mostWindows) => {
  const options = { link: links[0], policies: ofTest, clock };
  if (mostWindows === undefined) return redisLimiter({ ...options, prefix: PREFIX });
  const prefix = `${PREFIX}${crypto.randomUUID()}:`;
  return redisLimiter({ ...options, prefix, bounds: { current: mostWindows, past: mostWindows } });
};

limiterContract('redis', open, { skip: isRedisMissing });

describe.skipIf(isRedisMissing)('Redis limiters', () => {
  let clock: FakeClock;
  let one: Limiter;
  let other: Limiter;

  beforeEach(async () => {
    await links[0].send('FLUSHDB', []);
    clock = fakeClock();
    const options = { policies, clock, prefix: PREFIX, bounds };
    one = redisLimiter({ link: links[0], ...options });
    other = redisLimiter({ link: links[1], ...options });
  });

  /** Counts a request for each client from `from` up to `to`, a millisecond after each other. */
  async function fill(from: number, to: number): Promise<void> {
    for (let client = from; client < to; client += 1) {
      await one.take('info', `client ${client}`);
      clock.halt(1);
    }
  }

  const isForgotten = async (client: number) =>
    (await other.take('info', `client ${client}`)).requestCount === 1;

  const currentWindows = () => links[0].send('ZCARD', [`${PREFIX}info`]);

  const keys = async () => Number(await links[0].send('DBSIZE', []));

  describe('two processes', () => {
    test('[LI3] together they allow no more than the limit, in one window', async () => {
      const limiters = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? one : other));
      const verdicts = await Promise.all(limiters.map((limiter) => limiter.take('info', 'a')));
      const allowed = verdicts.filter((verdict) => verdict.allowed);
      expect(allowed.map(({ requestCount }) => requestCount).toSorted()).toEqual([1, 2, 3]);
      expect(new Set(verdicts.map((verdict) => verdict.windowStartedAtMs)).size).toBe(1);
    });

    test('[LI18] together they reserve no more bytes than there are', async () => {
      const [mine, theirs] = [
        await one.take('attachments', 'a'),
        await other.take('attachments', 'a'),
      ];
      const asked = Array.from({ length: 100 }, (_, i) =>
        i % 2 === 0 ? one.reserve(mine, 70) : other.reserve(theirs, 70),
      );
      const granted = await Promise.all(asked);
      expect(granted.reduce((sum, bytes) => sum + bytes, 0)).toBe(1_000);
      await one.settle(mine, 700, 300);
      await other.settle(theirs, 300, 0);
      const standing = { requestCount: 2, sentBytes: 300, bytesLeft: 700 };
      expect(await one.standing(mine)).toMatchObject(standing);
      expect(await other.standing(theirs)).toMatchObject(standing);
    });

    test('together they behave like the model, whichever of them is called', async () => {
      const property = fc.asyncProperty(
        limiterCommands(policies),
        fc.infiniteStream(fc.boolean()),
        async (commands, coins) => {
          const pick = () => (coins.next().value === true ? one : other);
          const limiter: Limiter = {
            take: (bucket, client) => pick().take(bucket, client),
            reserve: (verdict, bytes) => pick().reserve(verdict, bytes),
            settle: (verdict, reserved, billed) => pick().settle(verdict, reserved, billed),
            pace: (client, periodMs) => pick().pace(client, periodMs),
            standing: (verdict) => pick().standing(verdict),
            [Symbol.asyncDispose]: () => one[Symbol.asyncDispose](),
          };
          await runLimiterCommands(commands, { limiter, policies, clock });
        },
      );
      await fc.assert(property);
    });

    test('[LI14] they agree on a window even if their clocks differ, and no window begins before the last one', async () => {
      const late = fakeClock(clock.unixMs() - 5);
      const options = { link: links[1], policies, prefix: PREFIX };
      const slow = redisLimiter({ ...options, clock: late });
      const first = await one.take('info', 'a');
      const expected = { windowStartedAtMs: first.windowStartedAtMs, requestCount: 2 };
      expect(await slow.take('info', 'a')).toMatchObject({ ...expected, retryAfterMs: 60_000 });
      for (const each of [clock, late]) each.advance(60_000);
      const next = await one.take('info', 'a');
      expect(next.windowStartedAtMs).toBe(first.windowStartedAtMs + 60_000);
      const { windowStartedAtMs, requestCount } = await slow.take('info', 'a');
      expect([windowStartedAtMs, requestCount]).toEqual([next.windowStartedAtMs, 2]);
    });

    test('[LI11] they use the time of Redis if they have no clock', async () => {
      const [mine, theirs] = links.map((link) => redisLimiter({ link, policies, prefix: PREFIX }));
      const before = await redisMs();
      const first = await mine?.take('attachments', 'a');
      expect(first?.windowStartedAtMs).toBeWithin(before, (await redisMs()) + 1);
      const second = await theirs?.take('attachments', 'a');
      expect(second?.windowStartedAtMs).toBe(first?.windowStartedAtMs);
      expect(second?.requestCount).toBe(2);
      expect(second?.retryAfterMs).toBeWithin(1, 60_001);
    });
  });

  async function redisMs(): Promise<number> {
    const [seconds, micros] = (await links[0].send('TIME', [])) as [string, string];
    return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
  }

  describe('the windows in Redis', () => {
    test('[LI6] 350,000 windows of all limits together are kept', async () => {
      const limiter = redisLimiter({ link: links[0], policies, clock, prefix: PREFIX });
      const fillUp = {
        text: `for i = ARGV[2], ARGV[2] + 9999 do redis.call('ZADD', KEYS[1], ARGV[1], i) end`,
      };
      const before = String(clock.unixMs() - 1);
      for (let from = 1; from < 350_000; from += 10_000) {
        await links[0].run(fillUp, [`${PREFIX}info`], [before, String(from)]);
      }
      await links[0].send('ZPOPMIN', [`${PREFIX}info`]);
      await limiter.take('message_create', 'of another limit');
      expect(await currentWindows()).toBe(349_999);
      await limiter.take('info', 'one more');
      expect(await currentWindows()).toBe(349_999);
      expect(await limiter.take('info', 'one more')).toMatchObject({ requestCount: 2 });
    });

    test('[LI6] the youngest windows are kept', async () => {
      await fill(0, 50);
      expect(await isForgotten(0)).toBe(false);
      await fill(50, 51);
      expect(await isForgotten(1)).toBe(false);
      expect(await isForgotten(50)).toBe(false);
      expect(await isForgotten(0)).toBe(true);
      expect(await isForgotten(2)).toBe(false);
      expect(await isForgotten(1)).toBe(true);
    });

    test('[LI6] the number of keys does not grow with the number of clients', async () => {
      await fill(0, 200);
      // One key for each window, one for the bucket's current ones and one for its past ones.
      expect(await keys()).toBe(50 + 10 + 2);
    });

    test('[LI6] windows that have ended are removed before those that have not', async () => {
      await fill(0, 30);
      clock.halt(30_000);
      await fill(30, 50);
      clock.halt(30_000);
      await fill(50, 80);
      expect(await isForgotten(30)).toBe(false);
      expect(await isForgotten(79)).toBe(false);
    });

    test('[LI6] windows that have ended are removed when others begin', async () => {
      await fill(0, 50);
      clock.halt(60_000);
      await fill(50, 55);
      expect(await currentWindows()).toBe(5);
    });

    test('[LI6] every key expires', async () => {
      const verdict = await one.take('attachments', 'a');
      await one.reserve(verdict, 10);
      clock.advance(60_000);
      await other.take('attachments', 'a');
      await one.settle(verdict, 10, 10);
      const names = (await links[0].send('KEYS', ['*'])) as readonly string[];
      expect(names.length).toBe(4);
      for (const name of names) {
        expect(name).toStartWith(PREFIX);
        expect(await links[0].send('PTTL', [name])).toBeWithin(60_000, 120_001);
      }
    });

    test('[LI6][SC27] a window ends if the clock is set back by more than a second', async () => {
      const { windowStartedAtMs } = await one.take('fetch_file', 'a');
      clock.setUnixMs(windowStartedAtMs - 1_000);
      expect(await one.take('fetch_file', 'a')).toMatchObject({
        allowed: false,
        windowStartedAtMs,
      });
      clock.setUnixMs(windowStartedAtMs - 86_400_000);
      expect(await one.take('fetch_file', 'a')).toMatchObject({
        allowed: true,
        windowStartedAtMs: clock.unixMs(),
      });
      // Requests that still run in the former one can end there.
      const key = `${PREFIX}fetch_file:${windowStartedAtMs}:a`;
      expect(await links[0].send('PTTL', [key])).toBeWithin(1, 60_002);
    });

    test('[MO10][SC27] the pause between two actions ends if the clock is set back by more than a second', async () => {
      expect(await one.pace('set back', 30_000)).toBe(0);
      const nowMs = clock.unixMs();
      clock.setUnixMs(nowMs - 1_000);
      expect(await other.pace('set back', 30_000)).toBe(30_000);
      clock.setUnixMs(nowMs - 1_001);
      expect(await other.pace('set back', 30_000)).toBe(0);
      expect(await one.pace('set back', 30_000)).toBe(30_000);
    });
  });

  describe('after Redis has forgotten a window', () => {
    test('[LI6][LI18] an upload can still end in it', async () => {
      const verdict = await one.take('attachments', 'uploader');
      expect(await one.reserve(verdict, 800)).toBe(800);
      await links[0].send('FLUSHDB', []);
      expect(await one.standing(verdict)).toMatchObject({ requestCount: 1, bytesLeft: 200 });
      expect(await one.reserve(verdict, 800)).toBe(200);
      await one.settle(verdict, 1_000, 1_000);
      expect(await one.standing(verdict)).toMatchObject({ sentBytes: 1_000, bytesLeft: 0 });
    });

    test('[LI6] no more of them are restored than are kept of past windows', async () => {
      const taken = Array.from({ length: 20 }, (_, i) => one.take('attachments', `${i}`));
      const verdicts = await Promise.all(taken);
      await links[0].send('FLUSHDB', []);
      await Promise.all(verdicts.map((verdict) => one.reserve(verdict, 1)));
      expect(await keys()).toBe(10 + 1);
      await Promise.all(verdicts.map((verdict) => one.settle(verdict, 1, 1)));
      expect(await keys()).toBe(10 + 1);
    });
  });

  test('a verdict of another limiter is refused', async () => {
    const verdict = { ...(await one.take('attachments', 'a')), window: {} };
    await expect(one.reserve(verdict, 1)).rejects.toThrow('of another limiter');
  });

  test('the calls are rejected while Redis is away', async () => {
    await using gone = await startRedisServer();
    await using link = await openRedisLink({ url: gone.url, log });
    const limiter = redisLimiter({ link, policies, prefix: PREFIX });
    const verdict = await limiter.take('attachments', 'a');
    await gone.stop();
    await expect(limiter.take('info', 'a')).rejects.toBeInstanceOf(RedisUnavailableError);
    await expect(limiter.reserve(verdict, 1)).rejects.toBeInstanceOf(RedisUnavailableError);
  });
});
