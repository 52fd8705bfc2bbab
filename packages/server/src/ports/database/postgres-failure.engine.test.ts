import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { increment } from '@hearth/testing/ports/count-in-transactions';
import {
  allOf,
  countOf,
  outcome,
  outcomes,
  untilBack,
} from '@hearth/testing/ports/database-outcomes';
import { recordChanges } from '@hearth/testing/ports/record-changes';
import {
  hasPostgres,
  startPostgres,
  type PostgresServer,
} from '@hearth/testing/servers/postgres-server';
import { until } from '@hearth/testing/until';
import { jsonLogger } from '../../log/logger.ts';
import { postgresDatabase } from '../../engines/databases.ts';

/** The least time in milliseconds that `work` takes, which is run several times: any of them may take long on a busy machine. */
async function leastTimeOf(times: number, work: () => Promise<void>): Promise<number> {
  let leastMs = Infinity;
  for (let time = 0; time < times; time += 1) {
    const begunAtMs = performance.now();
    await work();
    leastMs = Math.min(leastMs, performance.now() - begunAtMs);
  }
  return leastMs;
}

describe.skipIf(!hasPostgres)('a PostgreSQL database', () => {
  let server: PostgresServer;
  let url: string;
  let logged: string[] = [];
  const log = jsonLogger('info', (line) => logged.push(JSON.parse(line).msg));
  const open = (address = url) => postgresDatabase(address, { log });

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());
  beforeEach(async () => {
    url = await server.createMigrated();
    logged = [];
  });

  test('operations are rejected while the server is stopped, and work again after it is started', async () => {
    await using database = await open();
    expect(await outcomes(database)).toEqual(allOf('done'));
    const heard = recordChanges(database);
    await server.stop();
    expect(await outcomes(database)).toEqual(allOf('failed'));
    expect(database.hearChanges()).toBe(false);
    await server.start();
    await untilBack(database);
    await until(async () => database.hearChanges());
    expect(heard()).toContain('unknown');
    expect(logged).toEqual(['the connection to the database is lost', 'the database is back']);
  });

  test('operations are rejected in time while the server is paused, and work again after it continues', async () => {
    await using database = await open();
    expect(await outcomes(database)).toEqual(allOf('done'));
    await server.pause();
    try {
      expect(await outcomes(database)).toEqual(allOf('failed'));
      await until(async () => !database.hearChanges());
      // The kernel accepts new connections, but nothing answers on them.
      expect(await outcomes(database)).toEqual(allOf('failed'));
    } finally {
      await server.resume();
    }
    await untilBack(database);
    await until(async () => database.hearChanges());
  });

  test('operations are rejected at once after one was not answered, while the server is paused', async () => {
    await using database = await open();
    await server.pause();
    try {
      expect(await outcome(countOf(database))).toBe('failed');
      const leastMs = await leastTimeOf(3, async () =>
        expect(await outcomes(database)).toEqual(allOf('failed')),
      );
      expect(leastMs).toBeLessThan(800);
    } finally {
      await server.resume();
    }
    await untilBack(database);
  });

  test('a database can be closed while its server is paused', async () => {
    const database = await open();
    await countOf(database);
    await server.pause();
    try {
      expect(await outcome(Promise.resolve(database[Symbol.asyncDispose]()))).toBe('done');
      expect(await outcome(countOf(database))).toBe('failed');
    } finally {
      await server.resume();
    }
  });

  test('a database can be closed at once while it tries to reach its server', async () => {
    const databases = [await open(), await open(), await open()];
    await server.pause();
    try {
      const lost = () => logged.filter((line) => line === 'the connection to the database is lost');
      await until(async () => lost().length === databases.length);
      const leastMs = await leastTimeOf(databases.length, async () => {
        await databases.pop()?.[Symbol.asyncDispose]();
      });
      expect(leastMs).toBeLessThan(1_500);
    } finally {
      await server.resume();
    }
    expect(logged).not.toContain('the database is back');
  });

  test('no confirmed commit is lost if the server restarts during many transactions', async () => {
    await using database = await open();
    let done = 0;
    let unknown = 0;
    let isEnding = false;
    const worker = async () => {
      while (!isEnding) {
        const one = await outcome(database.transaction(increment));
        expect(one).not.toBe('hangs');
        if (one === 'done') done += 1;
        else unknown += 1;
      }
    };
    const workers = [worker(), worker(), worker()];
    for (let round = 1; round <= 2; round += 1) {
      const [before, failedBefore] = [done, unknown];
      await until(async () => done > before);
      await server.stop();
      await until(async () => unknown > failedBefore);
      await server.start();
    }
    const before = done;
    await until(async () => done > before);
    isEnding = true;
    await Promise.all(workers);
    const count = Number(await countOf(database));
    expect(count).toBeGreaterThanOrEqual(done);
    expect(count).toBeLessThanOrEqual(done + unknown);
  });
});
