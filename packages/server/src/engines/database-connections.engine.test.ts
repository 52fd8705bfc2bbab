import { deployment } from '@hearth/testing/instances/test-instance';
import { startMemberProcess } from '@hearth/testing/instances/member-process';
import { queryPostgres } from '@hearth/testing/servers/query-postgres';
import {
  areServersMissing,
  sharedServers,
  type Servers,
  type SharedEnvironment,
} from '@hearth/testing/servers/shared-servers';
import { until } from '@hearth/testing/until';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Client } from 'pg';
import { loadConfig } from '../config/load-config.ts';
import { systemClock } from '../lib/clock.ts';
import { jsonLogger } from '../log/logger.ts';
import { KEPT, type Database } from '../ports/database/database.ts';
import { openDatabase, openDatabaseForOwner } from './server-database.ts';

const log = jsonLogger('silent', () => {});

/** The number of connections that each process may have. */
const MOST = [
  ['rest', 18],
  ['gateway', 10],
  ['files', 10],
  ['web', 6],
  ['rest,gateway,files,web', 18],
] as const;

const MOST_OF_COMMANDS = 5;

describe.skipIf(areServersMissing)('the connections of an instance to PostgreSQL', () => {
  let servers: Servers;
  let environment: SharedEnvironment;

  beforeAll(async () => {
    servers = await sharedServers();
  });
  afterAll(() => servers[Symbol.asyncDispose]());
  beforeEach(async () => {
    environment = await servers.newInstance();
  });

  const partsOf = async (components: string, resources: AsyncDisposableStack) => {
    const env = { ...(await deployment({ web: true })), ...environment, COMPONENTS: components };
    const { config } = await loadConfig({ env, workingDir: '/tmp', writeMissingFile: false });
    return { config, clock: systemClock, log, resources };
  };

  /** Counts the connections, besides the one that asks. */
  const count = async () => {
    const rows = await queryPostgres(
      environment.DATABASE_URL,
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    return rows.length;
  };

  /** The most connections at a time while far more operations of each kind run at once. */
  async function mostUnderLoad(database: Database): Promise<number> {
    const sleep = sql`select pg_sleep(0.5)`;
    const load = Array.from({ length: 20 }, () => [
      sleep.execute(database.reader),
      database.transaction((tx) => sleep.execute(tx.sql)),
      database.transaction((tx) => sleep.execute(tx.sql), KEPT),
    ]).flat();
    let isOver = false;
    // It does not matter that some wait for too long.
    const ended = Promise.allSettled(load).finally(() => (isOver = true));
    let most = 0;
    while (!isOver) most = Math.max(most, await count());
    await ended;
    return most;
  }

  test.each(MOST)(
    '[SC36] the connections of a process with %s are at most %i under load',
    async (components, most) => {
      await using resources = new AsyncDisposableStack();
      const parts = await partsOf(components, resources);
      const database = resources.use(await openDatabase(parts));
      expect(await mostUnderLoad(database)).toBe(most);
    },
  );

  test(`[SC36] the connections of an owner's command are at most ${MOST_OF_COMMANDS} under load`, async () => {
    await using resources = new AsyncDisposableStack();
    const parts = await partsOf('rest,gateway,files', resources);
    const database = resources.use(await openDatabaseForOwner(parts, 'maintenance'));
    expect(await mostUnderLoad(database)).toBe(MOST_OF_COMMANDS);
  });

  test.each(['rest', 'rest,gateway,files'])(
    '[SC36] a running process with %s does not open more connections if many requests wait for the database',
    async (components) => {
      await using member = await startMemberProcess({ ...environment, COMPONENTS: components });
      const client = new Client({ connectionString: environment.DATABASE_URL });
      await client.connect();
      try {
        await client.query('begin; lock table users in access exclusive mode');
        const requests = Array.from({ length: 100 }, (_, n) =>
          fetch(`${member.addresses.rest}/users/by-name/nobody-${n}`).then(({ status }) => status),
        );
        // Two are kept for what must not wait, and the client of this test has one.
        const most = 18 + 1;
        await until(async () => (await count()) >= most - 2);
        expect(await count()).toBeLessThanOrEqual(most);
        await client.query('rollback');
        await Promise.all(requests);
        expect(await count()).toBeLessThanOrEqual(most);
      } finally {
        await client.end();
      }
    },
  );
});
