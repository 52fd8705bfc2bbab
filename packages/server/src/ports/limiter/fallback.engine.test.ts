import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { fakeClock } from '@hearth/testing/fake-clock';
import {
  isRedisMissing,
  startRedisServer,
  type RedisServer,
} from '@hearth/testing/servers/redis-server';
import { until } from '@hearth/testing/until';
import { jsonLogger } from '../../log/logger.ts';
import { keyPrefix } from '../redis-format.ts';
import { openRedisLink, type RedisLink } from '../redis-link.ts';
import { fallbackLimiter } from './fallback.ts';
import { limiterContract, type OpenLimiter } from './limiter.contract.ts';
import { policiesBy, type LimitPolicies, type Limiter } from './limiter.ts';
import { memoryLimiter } from './memory.ts';
import { redisLimiter } from './redis.ts';

const PREFIX = `${keyPrefix('test')}limit:`;
const LOCAL = 'limits are counted in each process while Redis is unavailable';
const SHARED = 'limits are counted across processes again';
const silent = jsonLogger('silent', () => {});
const policy = { resetAfterMs: 60_000, limit: 3 };
const policies: LimitPolicies = {
  ...policiesBy(() => policy),
  attachments: { ...policy, byteLimit: 1_000 },
};

/** One process: its limiter, its link and what it logs about counting. */
interface Process extends AsyncDisposable {
  readonly limiter: Limiter;
  readonly link: RedisLink;
  readonly logged: string[];
}

let server: RedisServer;

async function startProcess(): Promise<Process> {
  const logged: string[] = [];
  const link = await openRedisLink({ url: server.url, log: silent });
  const limiter = fallbackLimiter({
    shared: redisLimiter({ link, policies, prefix: PREFIX }),
    local: memoryLimiter(policies, fakeClock()),
    isUp: () => link.isUp,
    log: jsonLogger('info', (line) => logged.push(JSON.parse(line).msg)),
  });
  return {
    limiter,
    link,
    logged,
    async [Symbol.asyncDispose]() {
      await limiter[Symbol.asyncDispose]();
      await link[Symbol.asyncDispose]();
    },
  };
}

const newClient = () => crypto.randomUUID();

const isDown = ({ link }: Process) => until(async () => !link.isUp);

describe.skipIf(isRedisMissing)('a limiter that falls back', () => {
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test('requests are counted across processes while Redis is available', async () => {
    await using one = await startProcess();
    await using other = await startProcess();
    const client = newClient();
    expect(await one.limiter.take('info', client)).toMatchObject({ requestCount: 1 });
    expect(await other.limiter.take('info', client)).toMatchObject({ requestCount: 2 });
    expect([...one.logged, ...other.logged]).toEqual([]);
  });

  test('requests are counted in each process while Redis is stopped, and across processes when it is back', async () => {
    await using one = await startProcess();
    await using other = await startProcess();
    const client = newClient();
    await one.limiter.take('info', client);
    await server.stop();
    await Promise.all([isDown(one), isDown(other)]);
    for (const { limiter } of [one, other]) {
      const verdicts = [1, 2, 3, 4].map(() => limiter.take('info', client));
      // No request waits for Redis.
      expect(verdicts.some((verdict) => verdict instanceof Promise)).toBe(false);
      expect((await Promise.all(verdicts)).map((verdict) => verdict.allowed)).toEqual([
        true,
        true,
        true,
        false,
      ]);
    }
    await server.start();
    await Promise.all([one.link.whenUp(), other.link.whenUp()]);
    expect(await one.limiter.take('info', client)).toMatchObject({
      allowed: true,
      requestCount: 1,
    });
    expect(await other.limiter.take('info', client)).toMatchObject({
      allowed: true,
      requestCount: 2,
    });
    expect(one.logged).toEqual([LOCAL, SHARED]);
    expect(other.logged).toEqual([LOCAL, SHARED]);
  });

  test('requests that a halted Redis does not count are counted locally', async () => {
    await using one = await startProcess();
    const client = newClient();
    await one.limiter.take('info', client);
    server.pause();
    const verdicts = await Promise.all([1, 2, 3, 4].map(() => one.limiter.take('info', client)));
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
    expect(one.limiter.take('info', client)).not.toBeInstanceOf(Promise);
    server.resume();
    await one.link.whenUp();
    await one.limiter.take('info', client);
    expect(one.logged).toEqual([LOCAL, SHARED]);
  });

  test('requests that Redis refuses to count are counted locally', async () => {
    await using one = await startProcess();
    await one.link.send('CONFIG', ['SET', 'maxmemory', '1']);
    const client = newClient();
    const verdicts = await Promise.all([1, 2, 3, 4].map(() => one.limiter.take('info', client)));
    await one.link.send('CONFIG', ['SET', 'maxmemory', '0']);
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
    expect(await one.limiter.take('info', client)).toMatchObject({ allowed: true });
    expect(one.logged).toEqual([LOCAL, SHARED]);
  });

  describe('during an upload', () => {
    test('an upload that Redis counted is settled with Redis, even if that was away in between', async () => {
      await using one = await startProcess();
      const verdict = await one.limiter.take('attachments', newClient());
      expect(await one.limiter.reserve(verdict, 600)).toBe(600);
      const lost = isDown(one);
      server.pause();
      await lost;
      server.resume();
      await one.link.whenUp();
      await one.limiter.settle(verdict, 600, 250);
      expect(await one.limiter.standing(verdict)).toMatchObject({ sentBytes: 250, bytesLeft: 750 });
    });

    test('an upload that was counted locally is settled locally, even if Redis is back', async () => {
      await using one = await startProcess();
      const client = newClient();
      await server.stop();
      await isDown(one);
      const verdict = await one.limiter.take('attachments', client);
      expect(await one.limiter.reserve(verdict, 600)).toBe(600);
      await server.start();
      await one.link.whenUp();
      expect(await one.limiter.reserve(verdict, 600)).toBe(400);
      await one.limiter.settle(verdict, 1_000, 900);
      expect(await one.limiter.standing(verdict)).toMatchObject({ sentBytes: 900, bytesLeft: 100 });
      const next = await one.limiter.take('attachments', client);
      expect(next).toMatchObject({ requestCount: 1, sentBytes: 0, bytesLeft: 1_000 });
    });

    test('an upload that Redis counted continues locally while Redis is away, and does not fail', async () => {
      await using one = await startProcess();
      const client = newClient();
      const verdict = await one.limiter.take('attachments', client);
      expect(await one.limiter.reserve(verdict, 600)).toBe(600);
      await server.stop();
      await isDown(one);
      expect(await one.limiter.standing(verdict)).toMatchObject({ sentBytes: 0 });
      expect(await one.limiter.reserve(verdict, 1_300)).toBe(1_000);
      expect(await one.limiter.standing(verdict)).toMatchObject({ sentBytes: 0, bytesLeft: 0 });
      await one.limiter.settle(verdict, 300, 0);
      expect(await one.limiter.standing(verdict)).toMatchObject({ sentBytes: 0, bytesLeft: 300 });
      await one.limiter.settle(verdict, 1_300, 1_200);
      expect(await one.limiter.standing(verdict)).toMatchObject({
        sentBytes: 1_200,
        bytesLeft: 300,
      });
      const next = await one.limiter.take('attachments', client);
      expect(next).toMatchObject({ sentBytes: 700, bytesLeft: 300 });
      await server.start();
      await one.link.whenUp();
      expect(await one.limiter.standing(verdict)).toMatchObject({
        requestCount: 1,
        sentBytes: 1_200,
      });
    });
  });
});

/** Runs the contract on one side of the fallback. */
function contract(name: string, isUp: () => boolean): void {
  const open: OpenLimiter = (...ofTest) => {
    const [shared, local] = [memoryLimiter(...ofTest), memoryLimiter(...ofTest)];
    return fallbackLimiter({ shared, local, isUp, log: silent });
  };
  limiterContract(name, open);
}

contract('fallback, with its shared', () => true);
contract('fallback, with its local', () => false);
