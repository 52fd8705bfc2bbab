import { failureOf } from '@hearth/testing/failure-of';
import { isRedisMissing } from '@hearth/testing/servers/redis-server';
import { sharedRedis, type SharedRedis } from '@hearth/testing/servers/shared-redis';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { jsonLogger } from '../log/logger.ts';
import { STORED_FORMAT } from '../stored-format.ts';
import { claimFormat, keyPrefix } from './redis-format.ts';
import { openRedisLink, type RedisLink } from './redis-link.ts';

describe.skipIf(isRedisMissing)('[SC49] the format of the keys in Redis', () => {
  let server: SharedRedis;
  let link: RedisLink;

  beforeEach(async () => {
    server = await sharedRedis();
    link = await openRedisLink({ url: server.url, log: jsonLogger('silent', () => {}) });
  });
  afterEach(async () => {
    await link[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const set = (key: string, value = '1') => link.send('SET', [key, value]);
  const noted = () => link.send('GET', ['hearth:format']);

  test('is noted in a database with other keys, also if it is lost later', async () => {
    await set('of-others');
    await set('hearths');
    await set(`${keyPrefix('one')}bus`);
    for (const _ of [1, 2]) {
      await claimFormat(link);
      expect(await noted()).toBe(String(STORED_FORMAT));
      await link.send('DEL', ['hearth:format']);
    }
  });

  test('is refused if a key has none, among however many others', async () => {
    for (let key = 0; key < 3_000; key += 1) void set(`${keyPrefix('one')}limit:${key}`);
    await set('hearth:{3f2a}:bus');
    expect(String(await failureOf(claimFormat(link)))).toContain(
      'keys of an earlier development version (hearth:{3f2a}:bus): start afresh with an empty one, or keep the version that',
    );
    expect(await noted()).toBeNull();
  });

  test('is refused if an earlier or a newer version has noted another one, which stays', async () => {
    await set('hearth:format', '0');
    expect(String(await failureOf(claimFormat(link)))).toContain(
      'keys of an earlier development version (format 0): start afresh with an empty one',
    );
    await set('hearth:format', '999999');
    expect(String(await failureOf(claimFormat(link)))).toContain(
      'keys of a newer Hearth (format 999999): start that version',
    );
    expect(await noted()).toBe('999999');
  });
});
