import { isRedisMissing } from '@hearth/testing/servers/redis-server';
import { sharedRedis, type SharedRedis } from '@hearth/testing/servers/shared-redis';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { jsonLogger } from '../../log/logger.ts';
import { keyPrefix } from '../redis-format.ts';
import { openRedisLink, type RedisLink } from '../redis-link.ts';
import { presenceContract } from './presence.contract.ts';
import { redisPresence } from './redis.ts';

const log = jsonLogger('silent', () => {});

let server: SharedRedis;
let link: RedisLink;

beforeAll(async () => {
  if (isRedisMissing) return;
  server = await sharedRedis();
  link = await openRedisLink({ url: server.url, log });
});

afterAll(async () => {
  if (isRedisMissing) return;
  await link[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const newKey = () => `${keyPrefix(crypto.randomUUID())}online`;

presenceContract('redis', async () => redisPresence({ link, key: newKey(), log }), {
  skip: isRedisMissing,
});

describe.skipIf(isRedisMissing)('processes that share a Redis', () => {
  test('[ON3] processes are counted together until they stop', async () => {
    const key = newKey();
    await using one = redisPresence({ link, key, log });
    const other = redisPresence({ link, key, log });
    expect(await one.report(2)).toBe(2);
    expect(await other.report(40)).toBe(42);
    expect(await one.report(3)).toBe(43);
    expect(await other.total()).toBe(43);
    await other[Symbol.asyncDispose]();
    expect(await one.total()).toBe(3);
  });

  test('[ON3] a process that no longer reports is not counted, and leaves nothing', async () => {
    const key = newKey();
    const killed = redisPresence({ link, key, log, keptMs: 20 });
    expect(await killed.report(40)).toBe(40);
    await using one = redisPresence({ link, key, log });
    await until(async () => (await one.report(1)) === 1);
    expect(await link.send('HLEN', [key])).toBe(1);
    expect(Number(await link.send('PTTL', [key]))).toBeGreaterThan(0);
  });
});
