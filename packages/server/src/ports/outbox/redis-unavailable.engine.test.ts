import { Recorder } from '@hearth/testing/ports/bus-recorder';
import { emitCounted, numbersIn, rowsIn } from '@hearth/testing/ports/emit-counted';
import { sharedPlace } from '@hearth/testing/ports/outbox-places';
import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import {
  isRedisMissing,
  startRedisServer,
  type RedisServer,
} from '@hearth/testing/servers/redis-server';
import { sharedPostgres, type SharedPostgres } from '@hearth/testing/servers/shared-postgres';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe.skipIf(!hasPostgres || isRedisMissing)('the outbox', () => {
  let postgres: SharedPostgres;
  let redis: RedisServer;

  beforeAll(async () => {
    postgres = await sharedPostgres();
    redis = await startRedisServer();
  });

  afterAll(async () => {
    await redis[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  async function start() {
    const environment = { DATABASE_URL: await postgres.createMigrated(), REDIS_URL: redis.url };
    const member = await sharedPlace(environment).open();
    const follower = new Recorder();
    await member.bus.subscribe(follower);
    const emit = (subject: string) => member.database.transaction((tx) => emitCounted(tx, subject));
    return { ...member, follower, emit };
  }

  test('[OB4] committed events are kept while Redis is gone, and published in order when it is back', async () => {
    await using instance = await start();
    for (let n = 0; n < 4; n += 1) await instance.emit(`channel ${n % 2}`);
    await until(async () => instance.follower.taken.length === 4);
    await until(async () => (await rowsIn(instance.database)) === 0);
    await redis.stop();
    for (let n = 0; n < 10; n += 1) await instance.emit(`channel ${n % 2}`);
    expect(await rowsIn(instance.database)).toBe(10);
    await redis.start();
    await until(async () => (await rowsIn(instance.database)) === 0);
    await until(async () => instance.follower.taken.length >= 14);
    for (const subject of ['channel 0', 'channel 1']) {
      expect(numbersIn(instance.follower, subject)).toEqual(range(7));
    }
    await instance.emit('channel 0');
    await until(async () => numbersIn(instance.follower, 'channel 0').length === 8);
  });

  test('[OB4] events that a Redis without answers may or may not have taken are published once', async () => {
    await using instance = await start();
    await instance.emit('channel 1');
    redis.pause();
    const emissions = range(5).map(() => instance.emit('channel 1'));
    await Promise.all(emissions);
    redis.resume();
    await until(async () => (await rowsIn(instance.database)) === 0);
    await until(async () => instance.follower.taken.length >= 6);
    await instance.emit('channel 1');
    await until(async () => instance.follower.taken.length >= 7);
    expect(numbersIn(instance.follower, 'channel 1')).toEqual(range(7));
  });
});
