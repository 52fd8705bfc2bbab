import { beIdle } from '@hearth/testing/ports/database-outcomes';
import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import { sharedPostgres, type SharedPostgres } from '@hearth/testing/servers/shared-postgres';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { errorCode } from '../../lib/error-code.ts';
import { jsonLogger } from '../../log/logger.ts';
import type { Database, Transaction } from './database.ts';
import { postgresDatabase } from '../../engines/databases.ts';

/** PostgreSQL's codes for a lock that was not granted in time, and for a statement that took too long. */
const GIVEN_UP_CODES = ['55P03', '57014'];

const CONNECTIONS = 10;

/** The time within which a request that needs the database is answered, in milliseconds. */
const ANSWER_MS = 3_000;

const log = jsonLogger('silent', () => {});
const slept = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.skipIf(!hasPostgres)(
  'a transaction on PostgreSQL that waits for rows that others have locked',
  () => {
    let server: SharedPostgres;
    let resources: AsyncDisposableStack;
    let holder: Database;
    let database: Database;
    let isRefused: Promise<void>;
    let end: () => void;

    beforeAll(async () => {
      server = await sharedPostgres();
    });

    afterAll(() => server[Symbol.asyncDispose]());

    beforeEach(async () => {
      resources = new AsyncDisposableStack();
      ({ promise: isRefused, resolve: end } = Promise.withResolvers<void>());
      const url = await server.createDatabase();
      holder = resources.use(await postgresDatabase(url, { log }));
      database = resources.use(await postgresDatabase(url, { log }));
      for (const name of ['a', 'b']) await holder.transaction(lock(name));
      const sleep = () => sql`select pg_sleep(0.1)`.execute(database.reader);
      await Promise.all(Array.from({ length: CONNECTIONS }, sleep));
    });

    afterEach(() => resources.disposeAsync());

    /** Locks a row by writing it. */
    const lock = (name: string) => (tx: Transaction) =>
      tx.sql
        .insertInto('settings')
        .values({ name, value: '' })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: '' }))
        .execute();

    /** Locks a row until a promise settles. */
    const hold = (name: string, until: Promise<unknown>) =>
      holder.transaction(async (tx) => {
        await beIdle(tx);
        await lock(name)(tx);
        await until;
      });

    /** The server's processes for connections to the database. */
    async function connections(): Promise<ReadonlySet<number>> {
      const { rows } = await sql<{ readonly pid: number }>`
      select pid from pg_stat_activity where datname = current_database()`.execute(holder.reader);
      return new Set(rows.map(({ pid }) => pid));
    }

    /** Returns the time that the server lets a transaction wait for a lock. */
    const timeouts = (tx: Transaction) =>
      sql<{ readonly lock_timeout: string }>`show lock_timeout`
        .execute(tx.sql)
        .then(({ rows }) => rows[0]?.lock_timeout);

    /** Expects that the server gives up a transaction in time, and that no connection is lost. */
    async function expectRefusal(work: (tx: Transaction) => Promise<unknown>): Promise<void> {
      const before = await connections();
      expect(before.size).toBeGreaterThan(CONNECTIONS);
      const startedAtMs = performance.now();
      const error = await database.transaction(work).catch((failure: unknown) => failure);
      expect(performance.now() - startedAtMs).toBeLessThan(ANSWER_MS);
      expect(GIVEN_UP_CODES).toContain(errorCode(error) ?? String(error));
      const after = await connections();
      expect([...before].filter((pid) => !after.has(pid))).toEqual([]);
      expect(await database.transaction(async () => 'done')).toBe('done');
    }

    test('one after another is given up by the server, and no connection is lost', async () => {
      const held = [hold('a', slept(1_300)), hold('b', isRefused)];
      await slept(50);
      await expectRefusal(async (tx) => {
        await lock('a')(tx);
        await lock('b')(tx);
      });
      end();
      await Promise.all(held);
    });

    test('at the same time is given up by the server, and no connection is lost', async () => {
      const held = [hold('a', isRefused), hold('b', isRefused)];
      await slept(50);
      await expectRefusal((tx) => Promise.all([lock('a')(tx), lock('b')(tx)]));
      end();
      await Promise.all(held);
    });

    test('[SC25] after a deadlock has all of its time again', async () => {
      const left: (string | undefined)[] = [];
      const result = await database.transaction(async (tx) => {
        left.push(await timeouts(tx));
        if (left.length === 4) return 'done';
        await sql`select pg_sleep(1)`.execute(tx.sql);
        throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
      });
      expect(result).toBe('done');
      expect(left).toEqual(['2s', '2s', '2s', '2s']);
    });

    test('a transaction gets shorter timeouts for its later statements, and the next one gets the usual ones', async () => {
      const held = hold('a', slept(1_300));
      await slept(50);
      const within = await database.transaction(async (tx) => {
        const first = await timeouts(tx);
        await lock('a')(tx);
        return [first, Number.parseInt((await timeouts(tx)) ?? '', 10) < 900];
      });
      expect(within).toEqual(['2s', true]);
      await held;
      // Each of these has its own connection, and one connection had the shorter timeouts. They read them first, because
      // a busy machine may spend enough time on any earlier statement to shorten them.
      const all: (string | undefined)[] = [];
      const { promise: haveAllRead, resolve: allRead } = Promise.withResolvers<void>();
      const read = async (tx: Transaction) => {
        all.push(await timeouts(tx));
        if (all.length === CONNECTIONS) allRead();
        await haveAllRead;
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, () => database.transaction(read)));
      expect(all).toEqual(all.map(() => '2s'));
    });
  },
);
