import { failureOf } from '@hearth/testing/failure-of';
import { isRedisMissing } from '@hearth/testing/servers/redis-server';
import { sharedRedis, type SharedRedis } from '@hearth/testing/servers/shared-redis';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { jsonLogger } from '../log/logger.ts';
import { STORED_FORMAT } from './stored-format.ts';
import { claimFormat, keyPrefix } from './redis-format.ts';
import { openRedisLink, type RedisLink } from './redis-link.ts';

describe.skipIf(isRedisMissing)('[SC49] a Redis database', () => {
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

  test('a database has its format noted beside keys of other programs, also after the note is lost', async () => {
    await set('of-others');
    await set('hearths');
    await set(`${keyPrefix('one')}bus`);
    for (const _ of [1, 2]) {
      await claimFormat(link);
      expect(await noted()).toBe(String(STORED_FORMAT));
      await link.send('DEL', ['hearth:format']);
    }
  });

  test('a database has its format noted once if several processes start at the same time', async () => {
    const slow = {
      async send(command: string, args: readonly string[]) {
        if (command === 'SCAN') await claimFormat(link);
        return await link.send(command, [...args]);
      },
    };
    await claimFormat({ ...slow, run: (...run) => link.run(...run) });
    expect(await noted()).toBe(String(STORED_FORMAT));
  });

  test('a database is refused if a newer version notes its format meanwhile', async () => {
    const slow = {
      async send(command: string, args: readonly string[]) {
        if (command === 'SCAN') await set('hearth:format', '999999');
        return await link.send(command, [...args]);
      },
    };
    const claimed = claimFormat({ ...slow, run: (...run) => link.run(...run) });
    expect(String(await failureOf(claimed))).toContain('a newer version of Hearth (format 999999)');
    expect(await noted()).toBe('999999');
  });

  test('a database is refused if one of many keys has no format', async () => {
    for (let key = 0; key < 3_000; key += 1) void set(`${keyPrefix('one')}limit:${key}`);
    await set('hearth:{3f2a}:bus');
    expect(String(await failureOf(claimFormat(link)))).toContain(
      'keys of an earlier development version of Hearth (hearth:{3f2a}:bus), maybe of another instance: start afresh with',
    );
    expect(await noted()).toBeNull();
  });

  test('a database is refused and left as it is if it has the format of an earlier or a newer version', async () => {
    await set('hearth:format', '0');
    expect(String(await failureOf(claimFormat(link)))).toContain(
      'keys of an earlier development version of Hearth (format 0), maybe of another instance: start afresh with',
    );
    await set('hearth:format', '999999');
    expect(String(await failureOf(claimFormat(link)))).toContain(
      'keys of a newer version of Hearth (format 999999): start that version',
    );
    expect(await noted()).toBe('999999');
  });
});
