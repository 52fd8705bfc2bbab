import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  isRedisMissing,
  startRedisServer,
  type RedisServer,
} from '@hearth/testing/servers/redis-server';
import { until } from '@hearth/testing/until';
import { jsonLogger } from '../log/logger.ts';
import { redisSocket } from '../runtime/redis-socket.ts';
import {
  openRedisLink,
  RedisUnavailableError,
  type RedisLink,
  type RedisLinkOptions,
} from './redis-link.ts';
import { MAX_UNDER_WAY } from './redis-session.ts';

const silent = jsonLogger('silent', () => {});

let server: RedisServer;

/** A link, what it logs, and a promise that resolves when it is lost the next time. */
async function openWatched(options: Partial<RedisLinkOptions> = {}) {
  const logged: string[] = [];
  const log = jsonLogger('info', (line) => logged.push(JSON.parse(line).msg));
  let down = Promise.withResolvers<Error>();
  const onDown = (error: Error) => {
    down.resolve(error);
    down = Promise.withResolvers();
  };
  const link = await openRedisLink({ url: server.url, log, onDown, ...options });
  return { link, logged, down: () => down.promise };
}

const open = async () => (await openWatched()).link;

/** Resolves after a lost link has had time for another attempt to connect. */
const laterThanATry = (link: RedisLink) => link.send('BLPOP', [newKey(), '1.2'], 20_000);

const newKey = () => crypto.randomUUID();

describe.skipIf(isRedisMissing)('a link to Redis', () => {
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  describe('that is up', () => {
    test('answers are returned as Redis gives them', async () => {
      await using link = await open();
      const key = newKey();
      expect(await link.send('HSET', [key, 'a', '1', 'b', 'ü\n\u0000'])).toBe(2);
      expect(await link.send('HGET', [key, 'b'])).toBe('ü\n\u0000');
      expect(await link.send('HGET', [key, 'c'])).toBeNull();
      expect(await link.send('HMGET', [key, 'a', 'c'])).toEqual(['1', null]);
      expect({ ...((await link.send('HGETALL', [key])) as object) }).toEqual({
        a: '1',
        b: 'ü\n\u0000',
      });
    });

    test('commands and scripts run in the order of the calls, including the first run of each script', async () => {
      await using link = await open();
      const key = newKey();
      const scripts = Array.from({ length: 5 }, (_, i) => ({
        text: `redis.call('RPUSH', KEYS[1], ARGV[1]) return ${i}`,
      }));
      const sent = Array.from({ length: 500 }, async (_, i) => {
        const script = scripts[i % 7];
        if (script === undefined) return link.send('RPUSH', [key, String(i)]);
        return link.run(script, [key], [String(i)]);
      });
      await Promise.all(sent);
      const expected = Array.from({ length: 500 }, (_, i) => String(i));
      expect(await link.send('LRANGE', [key, '0', '-1'])).toEqual(expected);
    });

    test('a script that is no longer in the script cache of Redis runs', async () => {
      await using link = await open();
      const script = { text: 'return {KEYS[1], ARGV[1]}' };
      expect(await link.run(script, ['key'], ['a'])).toEqual(['key', 'a']);
      await link.send('SCRIPT', ['FLUSH']);
      expect(await link.run(script, ['key'], ['b'])).toEqual(['key', 'b']);
      expect(await link.run(script, ['key'], ['c'])).toEqual(['key', 'c']);
    });

    test('an error that Redis answers is passed on, and the link stays up', async () => {
      await using link = await open();
      const failing = { text: `return redis.error_reply('MINE was said')` };
      const errors = await Promise.all([
        link.send('NOCOMMAND', []).catch((error: unknown) => error),
        link.run(failing, [], []).catch((error: unknown) => error),
        link.run(failing, [], []).catch((error: unknown) => error),
      ]);
      expect(errors.map(String)).toEqual([
        expect.stringContaining("unknown command 'NOCOMMAND'"),
        expect.stringContaining('MINE was said'),
        expect.stringContaining('MINE was said'),
      ]);
      expect(errors.some((error) => error instanceof RedisUnavailableError)).toBe(false);
      expect(link.isUp).toBe(true);
    });

    test('only the commands that exceed the limit of commands in flight are refused', async () => {
      await using link = await open();
      server.pause();
      const sent = Array.from({ length: MAX_UNDER_WAY }, async (_, i) =>
        link.send('ECHO', [String(i)], 60_000),
      );
      const refused = await link.send('PING', []).catch((error: unknown) => error);
      server.resume();
      expect(refused).toMatchObject({ name: 'RedisUnavailableError', wasSent: false });
      expect(await Promise.all(sent)).toEqual(sent.map((_, i) => String(i)));
      expect(await link.send('PING', [])).toBe('PONG');
    });

    test('the link stays up if its own process was halted', async () => {
      const { link, logged } = await openWatched();
      await using _ = link;
      const asked = link.send('ECHO', ['still here']);
      Bun.sleepSync(4_000);
      expect(await asked).toBe('still here');
      expect(await link.send('PING', [])).toBe('PONG');
      expect(logged).toEqual([]);
    });
  });

  describe('that is lost', () => {
    test('the link is up again after its connection was cut', async () => {
      const { link, logged, down } = await openWatched();
      await using _ = link;
      await using other = await open();
      const lost = down();
      await other.send('CLIENT', ['KILL', 'ID', String(await link.send('CLIENT', ['ID']))]);
      expect(await lost).toBeInstanceOf(RedisUnavailableError);
      await link.whenUp();
      expect(await link.send('PING', [])).toBe('PONG');
      expect(logged).toEqual(['the connection to Redis is lost', 'Redis is back']);
    });

    test('a new connection is made after a command that was not answered in time', async () => {
      await using link = await open();
      const before = await link.send('CLIENT', ['ID']);
      const late = link.send('BLPOP', [newKey(), '0'], 300).catch((error: unknown) => error);
      const next = link.send('PING', []).catch((error: unknown) => error);
      expect(await late).toMatchObject({ name: 'RedisUnavailableError', wasSent: true });
      expect(await next).toMatchObject({ name: 'RedisUnavailableError', wasSent: true });
      await link.whenUp();
      expect(await link.send('CLIENT', ['ID'])).not.toBe(before);
    });

    test('commands in flight are rejected when Redis is killed, and all others at once until Redis is back', async () => {
      const { link, logged } = await openWatched();
      await using _ = link;
      const key = newKey();
      await link.send('SET', [key, 'value']);
      const underWay = link.send('BLPOP', [newKey(), '0'], 60_000).catch((error: unknown) => error);
      await server.stop();
      expect(await underWay).toMatchObject({ name: 'RedisUnavailableError', wasSent: true });
      expect(link.isUp).toBe(false);
      const refused = [link.send('GET', [key]), link.run({ text: 'return 1' }, [], [])].map(
        (sent) => sent.catch((error: unknown) => error),
      );
      for (const error of await Promise.all(refused)) {
        expect(error).toMatchObject({ name: 'RedisUnavailableError', wasSent: false });
      }
      await server.start();
      await link.whenUp();
      expect(link.isUp).toBe(true);
      expect(await link.send('GET', [key])).toBeNull();
      expect(logged).toEqual(['the connection to Redis is lost', 'Redis is back']);
    });

    test('notices that Redis is halted even if no command is sent, and is up again when Redis continues', async () => {
      const { link, logged, down } = await openWatched();
      await using _ = link;
      const lost = down();
      server.pause();
      expect(String(await lost)).toContain('did not answer in time');
      expect(link.isUp).toBe(false);
      server.resume();
      await link.whenUp();
      expect(await link.send('PING', [])).toBe('PONG');
      expect(logged).toEqual(['the connection to Redis is lost', 'Redis is back']);
    });

    test('commands that were sent to a halted Redis are rejected', async () => {
      await using link = await open();
      server.pause();
      const asked = [1, 2, 3].map(() => link.send('PING', []).catch((error: unknown) => error));
      for (const error of await Promise.all(asked))
        expect(error).toBeInstanceOf(RedisUnavailableError);
      server.resume();
      await link.whenUp();
      expect(await link.send('PING', [])).toBe('PONG');
    });

    test('a new connection is made after its Redis has become a replica', async () => {
      const { link, down } = await openWatched();
      await using _ = link;
      await link.send('REPLICAOF', ['127.0.0.1', '1']);
      try {
        const lost = down();
        await expect(link.send('SET', [newKey(), '1'])).rejects.toThrow('READONLY');
        expect(String(await lost)).toContain('READONLY');
        await link.whenUp();
      } finally {
        await link.send('REPLICAOF', ['NO', 'ONE']);
      }
      expect(await link.send('SET', [newKey(), '1'])).toBe('OK');
    });

    test('the link is not up again while Redis answers that it cannot serve', async () => {
      const { link, logged, down } = await openWatched();
      await using _ = link;
      const raw = redisSocket({ url: server.url, connectTimeoutMs: 20_000, onClose: () => {} });
      await raw.connect();
      const lost = down();
      await raw.send('CONFIG', ['SET', 'replica-serve-stale-data', 'no']);
      await raw.send('REPLICAOF', ['127.0.0.1', '1']);
      await expect(link.send('GET', [newKey()])).rejects.toThrow('MASTERDOWN');
      await lost;
      await until(async () => logged.includes('Redis is not ready'));
      expect(link.isUp).toBe(false);
      await raw.send('REPLICAOF', ['NO', 'ONE']);
      raw.close();
      await link.whenUp();
      expect(await link.send('SET', [newKey(), '1'])).toBe('OK');
      expect(logged).toEqual([
        'the connection to Redis is lost',
        'Redis is not ready',
        'Redis is back',
      ]);
    });
  });

  describe('with a greeting', () => {
    test('the greeting runs on each connection before any other command', async () => {
      const key = newKey();
      const greet: RedisLinkOptions['greet'] = async (connection) => {
        await connection.send('RPUSH', [key, 'greeted']);
        await connection.run({ text: `return redis.call('RPUSH', KEYS[1], 'twice')` }, [key], []);
      };
      const { link } = await openWatched({ greet });
      await using _ = link;
      await link.send('RPUSH', [key, 'used']);
      await server.stop();
      const used = until(async () =>
        link.send('RPUSH', [key, 'used']).then(
          () => true,
          () => false,
        ),
      );
      await server.start();
      await used;
      expect(await link.send('LRANGE', [key, '0', '-1'])).toEqual(['greeted', 'twice', 'used']);
    });

    test('the link is not opened if the greeting throws', async () => {
      const greet = () => Promise.reject(new Error('not mine'));
      await expect(openWatched({ greet })).rejects.toThrow('not mine');
    });

    test('the link is not up before the greeting succeeds, and logs a refusal once', async () => {
      let greetings = 0;
      const greet = async () => {
        greetings += 1;
        if (greetings > 1 && greetings < 5) throw new Error('not mine');
      };
      const { link, logged, down } = await openWatched({ greet });
      await using _ = link;
      const lost = down();
      await using other = await open();
      await other.send('CLIENT', ['KILL', 'ID', String(await link.send('CLIENT', ['ID']))]);
      await lost;
      await link.whenUp();
      expect(greetings).toBe(5);
      expect(logged).toEqual([
        'the connection to Redis is lost',
        'Redis is not ready',
        'Redis is back',
      ]);
    });
  });

  describe('that is disposed', () => {
    test('commands in flight and every later command are rejected', async () => {
      const { link, logged } = await openWatched();
      const underWay = link.send('BLPOP', [newKey(), '0'], 60_000).catch((error: unknown) => error);
      await link[Symbol.asyncDispose]();
      await link[Symbol.asyncDispose]();
      expect(await underWay).toBeInstanceOf(RedisUnavailableError);
      await expect(link.send('PING', [])).rejects.toBeInstanceOf(RedisUnavailableError);
      await expect(link.whenUp()).rejects.toBeInstanceOf(RedisUnavailableError);
      expect(link.isUp).toBe(false);
      expect(logged).toEqual([]);
    });
  });

  // These tests mostly wait, and do not stop the server that the others use.
  describe.concurrent('over time', () => {
    test('a blocking command is waited for as long as the caller allows', async () => {
      const { link, logged } = await openWatched();
      await using _ = link;
      expect(await link.send('BLPOP', [newKey(), '3.5'], 20_000)).toBeNull();
      expect(logged).toEqual([]);
    });

    test('no connection is made after the link is disposed while it is connecting', async () => {
      await using other = await open();
      const name = newKey();
      let greetings = 0;
      const greeted = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      const { link, down } = await openWatched({
        greet: async (connection) => {
          await connection.send('CLIENT', ['SETNAME', name]);
          greetings += 1;
          if (greetings === 1) return;
          greeted.resolve();
          await held.promise;
        },
      });
      const lost = down();
      await other.send('CLIENT', ['KILL', 'ID', String(await link.send('CLIENT', ['ID']))]);
      await lost;
      const waiting = link.whenUp().catch((error: unknown) => error);
      await greeted.promise;
      await link[Symbol.asyncDispose]();
      held.resolve();
      expect(await waiting).toBeInstanceOf(RedisUnavailableError);
      await until(async () => !String(await other.send('CLIENT', ['LIST'])).includes(name));
      await laterThanATry(other);
      expect(link.isUp).toBe(false);
      expect(greetings).toBe(2);
    });

    test('no connection is made after the link is disposed while it is lost', async () => {
      const greeted: unknown[] = [];
      const greet: RedisLinkOptions['greet'] = async (connection) => {
        greeted.push(await connection.send('CLIENT', ['ID']));
      };
      const { link, down } = await openWatched({ greet });
      await using other = await open();
      const lost = down();
      await other.send('CLIENT', ['KILL', 'ID', String(greeted[0])]);
      await lost;
      await link[Symbol.asyncDispose]();
      await laterThanATry(other);
      expect(link.isUp).toBe(false);
      expect(greeted.length).toBe(1);
    });

    test('the link is not opened if Redis is halted', async () => {
      await using halted = await startRedisServer();
      halted.pause();
      const opened = openRedisLink({ url: halted.url, log: silent });
      await expect(opened).rejects.toBeInstanceOf(RedisUnavailableError);
    });
  });

  describe('that cannot be made', () => {
    test('the link is refused if nothing listens at the address', async () => {
      await using gone = await startRedisServer();
      await gone.stop();
      const opened = openRedisLink({ url: gone.url, log: silent });
      await expect(opened).rejects.toBeInstanceOf(RedisUnavailableError);
    });

    test('the link is refused if the password or the database number is wrong', async () => {
      await using own = await startRedisServer();
      await using link = await openRedisLink({ url: own.url, log: silent });
      await link.send('CONFIG', ['SET', 'requirepass', 'secret']);
      const at = (credentials: string, path = '') =>
        openRedisLink({ url: own.url.replace('//', `//${credentials}`) + path, log: silent });
      await expect(at(':wrong@')).rejects.toBeInstanceOf(RedisUnavailableError);
      await expect(at(':secret@', '/99')).rejects.toThrow();
      await using right = await at(':secret@', '/3');
      expect(await right.send('CLIENT', ['INFO'])).toContain('db=3');
    });
  });
});
