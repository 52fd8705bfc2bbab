import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test';
import { RedisClient } from 'bun';
import { channelMessageSchema } from '@hearth/protocol/schemas';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import { freePorts } from '@hearth/testing/free-ports';
import { queryPostgres } from '@hearth/testing/servers/query-postgres';
import {
  areServersMissing,
  sharedServers,
  type Servers,
} from '@hearth/testing/servers/shared-servers';
import { sharedRedis } from '@hearth/testing/servers/shared-redis';
import { SOURCES } from '@hearth/testing/programs/hearth-process';
import { join } from 'node:path';
import { Home } from './support/home.ts';

setDefaultTimeout(120_000);

let home: Home;

beforeEach(async () => {
  home = await Home.make();
});

afterEach(() => home[Symbol.asyncDispose]());

test('[SC20] a start that cannot reach a server prints that at once, without the password, keeps trying, and fails with a line that names the variable', async () => {
  const [port] = await freePorts(1);
  const starting = home.hearth(['start'], {
    DATABASE_URL: `postgres://ada:secret@127.0.0.1:${port}/hearth`,
    CONNECT_TIMEOUT: '2',
  });
  await starting.stderr.find(/DATABASE_URL: cannot reach 127\.0\.0\.1:\d+\/hearth, trying for 2 s/);
  const { exitCode, stdout, stderr } = await starting.ended;
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /hearth: DATABASE_URL: cannot reach 127\.0\.0\.1:\d+\/hearth within 2 s: /,
  );
  expect(stdout + stderr).not.toContain('secret');
});

test.each([
  [['--only', 'rest'], {}, /^hearth: DATABASE_URL: expected if COMPONENTS leaves gateway and/m],
  [[], { REDIS_URL: 'redis://127.0.0.1:1' }, /^hearth: DATABASE_URL: expected with REDIS_URL/m],
  [[], { BLOBS_URL: 's3://files' }, /^hearth: AWS_ACCESS_KEY_ID: expected with BLOBS_URL/m],
  [['--only', 'oprish'], {}, /^hearth: COMPONENTS: expected one or more of .* got "oprish"/m],
] as const)(
  '[SC21] start %p with %p is refused with a line that names the variable',
  async (words, env, line) => {
    const { exitCode, stderr } = await home.runHere(['start', ...words], env);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(line);
    expect(await home.names()).toEqual([]);
  },
);

test('[SC8] the web client alone needs no data and no server, and opens one port', async () => {
  const [port] = await freePorts(1);
  const started = home.launch({
    command: [...SOURCES, 'start', '--only', 'web'],
    folder: home.folder,
    env: { ...home.ports, WEB_PORT: String(port) },
  });
  const { exitCode, stderr } = await started.ended;
  // Only the built web client is missing: the sources have none beside them.
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining('COMPONENTS: the web client cannot be served: it is not built'),
  ]);
  expect(await home.names()).toEqual(['instance.toml']);
});

describe.skipIf(areServersMissing)('with servers', () => {
  let servers: Servers;

  beforeAll(async () => {
    servers = await sharedServers();
  });

  afterAll(() => servers[Symbol.asyncDispose]());

  test('[SC32][CM3] the program answers a repeated nonce with the message of the first time, and slow mode with a limit', async () => {
    await Bun.write(
      join(home.folder, 'instance.toml'),
      'instance_name = "Test"\nregistration = "open"\n',
    );
    const instance = home.hearth(['start', '--only', 'rest'], await servers.newInstance());
    await instance.started();
    const { rest } = home.addresses;
    const at = { addresses: { rest, gateway: rest, files: rest } };
    const ada = await RestPerson.register(at, 'ada');
    const bob = await RestPerson.register(at, 'bob');
    const { id, channels } = await ada.garden('garden', { visibility: 'public' });
    await bob.ask('PUT', `/communities/${id}/members/me`);
    const channel = `/channels/${channels[0]?.id ?? ''}`;
    const given = { content: 'Hello', nonce: 'one' };
    const [first, second] = [
      await bob.ok(channelMessageSchema, 'POST', `${channel}/messages`, given),
      await bob.ok(channelMessageSchema, 'POST', `${channel}/messages`, given),
    ];
    expect(second).toEqual(first);
    await ada.ask('PATCH', channel, { slow_mode_seconds: 60 });
    await bob.ok(channelMessageSchema, 'POST', `${channel}/messages`, { content: 'Slow' });
    const refused = await bob.ask('POST', `${channel}/messages`, { content: 'Slow' });
    expect(refused.status).toBe(429);
  });

  test('[SC8] a process opens the ports of its components and no others', async () => {
    const instance = home.hearth(['start', '--only', 'rest'], await servers.newInstance());
    await instance.started();
    const { rest, files } = home.addresses;
    expect((await fetch(rest)).status).toBe(200);
    await expect(fetch(files)).rejects.toThrow();
    const { exitCode, stdout } = await instance.stop();
    expect(exitCode).toBe(0);
    expect(stdout).toContain(` ${rest}/messages\n`);
    expect(stdout).not.toContain(files);
  });

  test('[SC22] a second process on a database is refused if one of the two has no REDIS_URL', async () => {
    const { DATABASE_URL, REDIS_URL } = await servers.newInstance();
    const first = home.hearth(['start'], { DATABASE_URL });
    await first.started();
    await using other = await Home.make();
    for (const env of [{ DATABASE_URL }, { DATABASE_URL, REDIS_URL }]) {
      const { exitCode, stderr } = await other.runHere(['start'], env);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^hearth: REDIS_URL: /m);
    }
    await first.stop();
    await using third = await Home.make();
    const shared = third.hearth(['start'], { DATABASE_URL, REDIS_URL });
    await shared.started();
    expect((await other.runHere(['start'], { DATABASE_URL })).stderr).toMatch(
      /^hearth: REDIS_URL: /m,
    );
  });

  test('[SC23] processes that start at the same time on an empty database become one instance', async () => {
    const DATABASE_URL = await servers.postgres.createDatabase();
    const env = { ...(await servers.newInstance()), DATABASE_URL };
    const homes = await Promise.all(Array.from({ length: 3 }, () => Home.make()));
    try {
      const started = homes.map((each) => each.hearth(['start'], env));
      await Promise.all(started.map((each) => each.started()));
      const rows = await queryPostgres(
        env.DATABASE_URL,
        "select value from settings where name = 'instance_id'",
      );
      expect(rows).toHaveLength(1);
    } finally {
      await Promise.all(homes.map((each) => each[Symbol.asyncDispose]()));
    }
  });

  test('[SC24] a database of a newer version is refused with advice, and left as it is', async () => {
    const env = await servers.newInstance();
    const instance = home.hearth(['start'], env);
    await instance.started();
    await instance.stop();
    const ask = (query: string) => queryPostgres(env.DATABASE_URL, query);
    await ask("insert into kysely_migration values ('999.999-newer', '2030-01-01')");
    const before = await ask('select * from kysely_migration order by name');
    const { exitCode, stderr } = await home.runHere(['start'], env);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^hearth: DATABASE_URL: .*newer version of Hearth/m);
    expect(await ask('select * from kysely_migration order by name')).toEqual(before);
  });

  test('[SC49] a Redis of an earlier development version is refused with advice, and left as it is', async () => {
    await using own = await sharedRedis();
    const redis = new RedisClient(own.url);
    await redis.set('hearth:{3f2a}:bus', '');
    const env = { ...(await servers.newInstance()), REDIS_URL: own.url };
    const { exitCode, stderr } = await home.runHere(['start'], env);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^hearth: REDIS_URL: cannot use \S+: it has keys of an earlier development version of Hearth \(hearth:\{3f2a\}:bus\), maybe of another instance: start afresh /m,
    );
    expect(await redis.keys('*')).toEqual(['hearth:{3f2a}:bus']);
    redis.close();
  });

  test('[OP77] a database of an earlier development version is refused by starts and commands, and left as it is', async () => {
    const env = await servers.newInstance();
    const ask = (query: string) => queryPostgres(env.DATABASE_URL, query);
    await ask('delete from kysely_migration');
    await ask("insert into kysely_migration values ('065-earlier', '2026-01-01')");
    const refusal =
      /^hearth: DATABASE_URL: cannot use \S+: an earlier development version of Hearth made it \(migration 065-earlier\): start afresh with an empty data folder or database, or keep the version that made it\n$/;
    for (const words of [['start'], ['users', 'list']]) {
      expect(await home.runHere(words, env)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringMatching(refusal),
      });
    }
    expect(await ask('select name from kysely_migration')).toEqual([{ name: '065-earlier' }]);
  });
});
