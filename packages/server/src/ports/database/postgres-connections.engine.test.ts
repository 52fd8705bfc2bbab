import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { countOf, note } from '@hearth/testing/ports/database-outcomes';
import { increment } from '@hearth/testing/ports/count-in-transactions';
import { hasPostgres, startPostgres } from '@hearth/testing/servers/postgres-server';
import { sharedPostgres, type SharedPostgres } from '@hearth/testing/servers/shared-postgres';
import { TcpRelay } from '@hearth/testing/servers/tcp-relay';
import { sql } from 'kysely';
import { postgresDatabase } from '../../engines/databases.ts';
import { jsonLogger } from '../../log/logger.ts';
import { ownerOutbox } from '../outbox/outbox.ts';
import type { Database } from './database.ts';

const log = jsonLogger('silent', () => {});

describe.skipIf(!hasPostgres)('the connections of a process to PostgreSQL', () => {
  let server: SharedPostgres;
  let url: string;

  const open = (maxConnections: number) =>
    postgresDatabase(url, { log, timeoutMs: 10_000, connections: maxConnections });

  beforeAll(async () => {
    server = await sharedPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());
  beforeEach(async () => {
    url = await server.createMigrated();
  });

  test('[SC29] connections are kept for some transactions and for reads while ordinary transactions wait for a row', async () => {
    await using database = await open(6);
    await using other = await open(6);
    await other.transaction(increment);
    const { promise: isEnough, resolve: release } = Promise.withResolvers<void>();
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
    const holding = other.transaction(async (tx) => {
      await increment(tx);
      held();
      await isEnough;
    });
    await isHeld;
    let done = 0;
    const flood = Array.from({ length: 20 }, () =>
      database.transaction(increment).then(() => (done += 1)),
    );
    await database.transaction(note, { connection: 'kept' });
    await ownerOutbox(database).transaction(note, { connection: 'kept' });
    expect(await countOf(database)).toBe('1');
    expect(done).toBe(0);
    release();
    await Promise.all([holding, ...flood]);
    expect(await countOf(database)).toBe('22');
  });

  test('the first operation uses the connection on which the schema was read', async () => {
    await using relay = await TcpRelay.to(server.port);
    const through = new URL(url);
    through.port = String(relay.port);
    await using database = await postgresDatabase(through.href, { log, timeoutMs: 10_000 });
    // One listens.
    expect(relay.connections).toBe(2);
    await database.transaction(note);
    expect(relay.connections).toBe(2);
  });

  test('[SC35] connections are waited for while the server has no room for them, and those are closed that nobody uses', async () => {
    await using full = await startPostgres({ maxConnections: 10 });
    url = await full.createMigrated();
    await using one = await open(6);
    await using other = await open(6);
    await using third = await open(6);
    const slow = async (database: Database) => {
      await sql`select pg_sleep(0.05)`.execute(database.reader);
      return await database.transaction(note);
    };
    const flood = (database: Database) => Array.from({ length: 12 }, () => slow(database));
    const noted = Array.from({ length: 12 }, () => 'noted');
    // Three connections listen, and seven are left for twelve.
    expect(await Promise.all([...flood(one), ...flood(other)])).toEqual([...noted, ...noted]);
    // All of the seven are with processes that do nothing now.
    expect(await Promise.all(flood(third))).toEqual(noted);
  });
});
