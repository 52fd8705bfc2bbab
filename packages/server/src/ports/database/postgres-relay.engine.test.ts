import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { increment } from '@hearth/testing/ports/count-in-transactions';
import { beIdle, countOf, note, outcome, untilBack } from '@hearth/testing/ports/database-outcomes';
import { startPostgresRelay, type PostgresRelay } from '@hearth/testing/servers/postgres-relay';
import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import { sharedPostgres, type SharedPostgres } from '@hearth/testing/servers/shared-postgres';
import { until } from '@hearth/testing/until';
import { jsonLogger } from '../../log/logger.ts';
import { postgresDatabase } from '../../engines/databases.ts';

/** A commit on the wire: a text that ends with a zero byte. */
const COMMIT = 'commit\0';

describe.skipIf(!hasPostgres)('a PostgreSQL database on a network that fails', () => {
  let server: SharedPostgres;
  let relay: PostgresRelay;
  let url: string;
  const log = jsonLogger('silent', () => {});
  const open = (address = url) => postgresDatabase(address, { log });

  beforeAll(async () => {
    server = await sharedPostgres();
    relay = await startPostgresRelay(server.port);
  });
  afterAll(async () => {
    await relay[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    url = await server.createMigrated();
  });

  test('a transaction whose connection is cut is rolled back, and others continue', async () => {
    await using other = await open();
    await using database = await open(relay.through(url));
    const cut = database.transaction(async (tx) => {
      await increment(tx);
      relay.cut();
      await increment(tx);
    });
    expect(await outcome(cut)).toBe('failed');
    await until(async () => (await outcome(other.transaction(increment))) === 'done');
    expect(await countOf(other)).toBe('1');
    relay.restore();
    await untilBack(database);
    await until(async () => database.hearChanges());
    expect(await countOf(database)).toBe('1');
  });

  test('the locks of a client that falls silent in the middle of a transaction are released', async () => {
    await using other = await open();
    await using database = await open(relay.through(url));
    const { promise: isHeld, resolve } = Promise.withResolvers<void>();
    const held = database.transaction(async (tx) => {
      await increment(tx);
      relay.hold();
      resolve();
      await increment(tx);
    });
    const failed = outcome(held);
    await isHeld;
    expect(await outcome(other.transaction(note))).toBe('done');
    await until(async () => (await outcome(other.transaction(increment))) === 'done');
    expect(await countOf(other)).toBe('1');
    expect(await failed).toBe('failed');
    relay.restore();
    await untilBack(database);
  });

  test('a transaction that waits too long for another one is rejected, and the other is not affected', async () => {
    await using database = await open();
    await using other = await open();
    await database.transaction(async (tx) => {
      await beIdle(tx);
      await increment(tx);
      const others = [other.transaction(increment), other.transaction(note)].map(outcome);
      expect(await Promise.all(others)).toEqual(['failed', 'done']);
    });
    expect(await countOf(other)).toBe('1');
    await other.transaction(increment);
    expect(await countOf(other)).toBe('2');
  });

  test('a transaction whose commit is not answered is rejected, and is seen later to be committed', async () => {
    await using database = await open(relay.through(url));
    relay.holdAt(COMMIT, 'after');
    expect(await outcome(database.transaction(increment))).toBe('failed');
    relay.restore();
    await until(async () => (await outcome(countOf(database))) === 'done');
    expect(await countOf(database)).toBe('1');
  });

  test('no read that an undecided commit could make untrue is answered', async () => {
    await using database = await open(relay.through(url));
    await using observer = await open();
    relay.holdAt(COMMIT, 'before');
    const undecided = database.transaction(async (tx) => {
      await beIdle(tx);
      await increment(tx);
    });
    expect(await outcome(undecided)).toBe('failed');
    // New connections work, while the commit is still on its way.
    const reading = countOf(database).catch(() => 'failed');
    const isWaiting = sql`
      select 1 from pg_stat_activity
      where datname = current_database() and query like 'select 1 from pg_locks%' and pid <> pg_backend_pid()`;
    await until(async () => (await isWaiting.execute(observer.reader)).rows.length > 0);
    relay.restore();
    const read = await reading;
    // On a machine that is too busy, the read fails, or the server has rolled the transaction back.
    expect([await countOf(observer), 'failed']).toContain(read);
  });
});
