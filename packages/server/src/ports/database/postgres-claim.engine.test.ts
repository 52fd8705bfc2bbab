import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { startPostgresRelay, type PostgresRelay } from '@hearth/testing/servers/postgres-relay';
import {
  hasPostgres,
  startPostgres,
  type PostgresServer,
} from '@hearth/testing/servers/postgres-server';
import { until } from '@hearth/testing/until';
import { jsonLogger } from '../../log/logger.ts';
import { claimPostgres, type ClaimOptions, type DatabaseUse } from './postgres-claim.ts';
import { postgresDatabase } from '../../engines/databases.ts';
import { claimDatabase } from './postgres.ts';

describe.skipIf(!hasPostgres)('a claim on a PostgreSQL database', () => {
  let server: PostgresServer;
  let relay: PostgresRelay;
  let url: string;
  let logged: string[] = [];
  let claims = new AsyncDisposableStack();
  const log = jsonLogger('info', (line) => logged.push(JSON.parse(line).msg));

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
    claims = new AsyncDisposableStack();
  });
  afterEach(() => claims.disposeAsync());

  async function claim(use: DatabaseUse, options: Partial<ClaimOptions> & { url?: string } = {}) {
    const { url: address = url, ...rest } = options;
    const all = { log, timeoutMs: 2_500, waitMs: 0, patienceMs: 0, ...rest };
    return claims.use(await claimPostgres(address, use, all));
  }

  async function isClaimed(use: DatabaseUse, options: Parameters<typeof claim>[1] = {}) {
    const claimed = await claim(use, options);
    await claimed?.[Symbol.asyncDispose]();
    return claimed !== undefined;
  }

  test('a claim keeps out all others if its process runs alone', async () => {
    const alone = await claim('alone');
    expect([await isClaimed('alone'), await isClaimed('together')]).toEqual([false, false]);
    await alone?.[Symbol.asyncDispose]();
    expect([await isClaimed('alone'), await isClaimed('together')]).toEqual([true, true]);
  });

  test('a claim admits processes that run together, and keeps out one that would run alone', async () => {
    const together = [await claim('together'), await claim('together')];
    for (const one of together) {
      expect([await isClaimed('alone'), await isClaimed('together')]).toEqual([false, true]);
      await one?.[Symbol.asyncDispose]();
    }
    expect(await isClaimed('alone')).toBe(true);
  });

  test('a claim covers one database only, and does not lock its tables', async () => {
    await claim('alone');
    expect(await isClaimed('alone', { url: await server.createDatabase() })).toBe(true);
    await using database = await postgresDatabase(url, { log });
    expect(await database.reader.selectFrom('settings').selectAll().execute()).toEqual([]);
  });

  test('a claim is granted to a waiting process when its holder ends', async () => {
    const first = await claim('alone');
    const waiting = claim('alone', { waitMs: 25_000 });
    await first?.[Symbol.asyncDispose]();
    expect(await waiting).toBeDefined();
  });

  test('a claim is refused if another process is in the way for 2 s', async () => {
    await claim('together');
    const startedAtMs = performance.now();
    expect(await claimDatabase(url, 'alone', { log })).toBeUndefined();
    expect(performance.now() - startedAtMs).toBeGreaterThan(2_000);
  });

  test('a claim is made again after the server was restarted or the connection was cut', async () => {
    // The checks below claim the database too, and are in the way of this claim for a moment.
    await claim('alone', { url: relay.through(url), patienceMs: 120_000 });
    await server.stop();
    await server.start();
    await until(async () => !(await isClaimed('together')));
    relay.cut();
    await until(() => isClaimed('together'));
    relay.restore();
    await until(async () => !(await isClaimed('together')));
    expect(logged).not.toContain('the database is claimed again');
  });

  test('a claim is logged once as lost to another process, and made again when that process ends', async () => {
    await claim('together', { url: relay.through(url) });
    relay.cut();
    let other: AsyncDisposable | undefined;
    await until(async () => (other = await claim('alone')) !== undefined);
    relay.restore();
    const refused = 'another process claimed the database while the connection was lost';
    await until(async () => logged.includes(refused));
    await other?.[Symbol.asyncDispose]();
    await until(async () => logged.includes('the database is claimed again'));
    expect(logged).toEqual([refused, 'the database is claimed again']);
  });
});
