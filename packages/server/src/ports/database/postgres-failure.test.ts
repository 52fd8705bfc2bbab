import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { increment } from '../../../test/support/count-in-transactions.ts';
import { startPostgresRelay, type PostgresRelay } from '../../../test/support/postgres-relay.ts';
import {
  hasPostgres,
  startPostgres,
  type PostgresServer,
} from '../../../test/support/postgres-server.ts';
import { until } from '../../../test/support/until.ts';
import { jsonLogger } from '../../log/logger.ts';
import type { Database, Writer } from './database.ts';
import { postgresDatabase } from './postgres.ts';

/** What 2.5 s may come to on a busy machine; what waits for a server that is away waits for far longer. */
const IN_TIME_MS = 12_000;

/** What a commit is on the wire: a text that ends with a zero. */
const COMMIT = 'commit\0';

const operations: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  'a fixed query': (database) => database.rows('select name from settings'),
  'a read': async (database) => countOf(database),
  'a transaction': (database) => database.transaction(note),
  'a quiet transaction': (database) => database.quietTransaction(note),
  'a quiet transaction that is tried': (database) => database.tryQuietTransaction(note),
};

async function note(writer: Writer): Promise<string> {
  await writer.insertInto('settings').values({ name: crypto.randomUUID(), value: '' }).execute();
  return 'noted';
}

async function countOf(database: Database): Promise<string | undefined> {
  const db = await database.reader();
  const query = db.selectFrom('settings').select('value').where('name', '=', 'count');
  return (await query.executeTakeFirst())?.value;
}

/** Whether it is done, or that it failed in time. */
async function outcome(work: Promise<unknown>): Promise<'done' | 'failed' | 'hangs'> {
  const { promise: isOver, resolve } = Promise.withResolvers<'hangs'>();
  const timer = setTimeout(resolve, IN_TIME_MS, 'hangs');
  const done = work.then(
    () => 'done' as const,
    () => 'failed' as const,
  );
  const first = await Promise.race([done, isOver]);
  clearTimeout(timer);
  return first;
}

async function outcomes(database: Database): Promise<Readonly<Record<string, string>>> {
  const all = Object.entries(operations).map(
    async ([name, operate]) => [name, await outcome(operate(database))] as const,
  );
  return Object.fromEntries(await Promise.all(all));
}

const allOf = (told: string) =>
  Object.fromEntries(Object.keys(operations).map((name) => [name, told]));

/** Resolves when the database does everything again, by itself. */
function untilBack(database: Database): Promise<void> {
  return until(async () => Bun.deepEquals(await outcomes(database), allOf('done')));
}

function isChanging(database: Database): boolean {
  const revision = database.revision();
  return database.revision() !== revision;
}

describe.skipIf(!hasPostgres)('a PostgreSQL that fails', () => {
  let server: PostgresServer;
  let relay: PostgresRelay;
  let url: string;
  let logged: string[] = [];
  const log = jsonLogger('info', (line) => logged.push(JSON.parse(line).msg));
  const open = (address = url) => postgresDatabase(address, { log });

  beforeAll(async () => {
    server = await startPostgres();
    relay = await startPostgresRelay(server.port);
  });
  afterAll(async () => {
    await relay[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    url = await server.createDatabase();
    logged = [];
  });

  test('fails what is asked for while it is stopped, and does everything when it is started again', async () => {
    await using database = await open();
    expect(await outcomes(database)).toEqual(allOf('done'));
    const revision = database.revision();
    await server.stop();
    expect(await outcomes(database)).toEqual(allOf('failed'));
    expect(isChanging(database)).toBe(true);
    await server.start();
    await untilBack(database);
    await until(async () => !isChanging(database));
    expect(database.revision()).not.toBe(revision);
    expect(logged).toEqual(['the connection to the database is lost', 'the database is back']);
  });

  test('fails in time what is asked for while it is paused, and does everything when it goes on', async () => {
    await using database = await open();
    expect(await outcomes(database)).toEqual(allOf('done'));
    await server.pause();
    try {
      expect(await outcomes(database)).toEqual(allOf('failed'));
      await until(async () => isChanging(database));
      // New connections are accepted by the kernel, and answered by nobody.
      expect(await outcomes(database)).toEqual(allOf('failed'));
    } finally {
      await server.resume();
    }
    await untilBack(database);
    await until(async () => !isChanging(database));
  });

  test('fails at once, while it is paused, whatever follows an operation that was not answered', async () => {
    await using database = await open();
    await server.pause();
    try {
      expect(await outcome(countOf(database))).toBe('failed');
      const startedAtMs = performance.now();
      for (let i = 0; i < 3; i += 1) expect(await outcomes(database)).toEqual(allOf('failed'));
      expect(performance.now() - startedAtMs).toBeLessThan(2_500);
    } finally {
      await server.resume();
    }
    await untilBack(database);
  });

  test('can be left while it is paused', async () => {
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

  test('can be left at once while it is looked for', async () => {
    const database = await open();
    await server.pause();
    try {
      await until(async () => logged.includes('the connection to the database is lost'));
      const startedAtMs = performance.now();
      await database[Symbol.asyncDispose]();
      expect(performance.now() - startedAtMs).toBeLessThan(1_500);
    } finally {
      await server.resume();
    }
    expect(logged).not.toContain('the database is back');
  });

  test('loses no commit that it told of in restarts among many transactions', async () => {
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

  test('undoes a transaction whose connection is cut, and lets others go on', async () => {
    await using other = await open();
    await using database = await open(relay.through(url));
    const cut = database.transaction(async (writer) => {
      await increment(writer);
      relay.cut();
      await increment(writer);
    });
    expect(await outcome(cut)).toBe('failed');
    await until(async () => (await outcome(other.transaction(increment))) === 'done');
    expect(await countOf(other)).toBe('1');
    relay.restore();
    await untilBack(database);
    await until(async () => !isChanging(database));
    expect(await countOf(database)).toBe('1');
  });

  test('takes its locks from a client that is not heard of in the middle of a transaction', async () => {
    await using other = await open();
    await using database = await open(relay.through(url));
    const { promise: isHeld, resolve } = Promise.withResolvers<void>();
    const held = database.transaction(async (writer) => {
      await increment(writer);
      relay.hold();
      resolve();
      await increment(writer);
    });
    const failed = outcome(held);
    await isHeld;
    expect(await outcome(other.quietTransaction(note))).toBe('done');
    await until(async () => (await outcome(other.transaction(increment))) === 'done');
    expect(await countOf(other)).toBe('1');
    expect(await failed).toBe('failed');
    relay.restore();
    await untilBack(database);
  });

  test('fails a transaction that waits too long for that of another process, which is not harmed', async () => {
    await using database = await open();
    await using other = await open();
    await database.transaction(async (writer) => {
      await increment(writer);
      const others = [other.transaction(increment), other.quietTransaction(note)].map(outcome);
      expect(await Promise.all(others)).toEqual(['failed', 'done']);
    });
    expect(await countOf(other)).toBe('1');
    await other.transaction(increment);
    expect(await countOf(other)).toBe('2');
  });

  test('fails a transaction of which nobody knows whether it was committed, and tells later that it was', async () => {
    await using database = await open(relay.through(url));
    relay.holdAt(COMMIT, 'behind');
    expect(await outcome(database.transaction(increment))).toBe('failed');
    relay.restore();
    await until(async () => (await outcome(countOf(database))) === 'done');
    expect(await countOf(database)).toBe('1');
  });

  test('answers nothing that a commit under way could make untrue', async () => {
    await using database = await open(relay.through(url));
    await using observer = await open();
    relay.holdAt(COMMIT, 'before');
    expect(await outcome(database.transaction(increment))).toBe('failed');
    // New connections are well, while the commit is on its way still.
    const reading = countOf(database).catch(() => 'failed');
    const isWaiting = "select 1 from pg_locks where locktype = 'advisory' and not granted";
    await until(async () => (await observer.rows(isWaiting)).length > 0);
    relay.restore();
    const read = await reading;
    // On a machine that is too busy for that it fails, or the server has undone the transaction.
    expect([await countOf(observer), 'failed']).toContain(read);
  });
});
