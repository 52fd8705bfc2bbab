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
import { createLogger } from '../../server/src/log/logger.ts';
import type { Database } from '../../server/src/ports/database/database.ts';
import { postgresDatabase } from '../../server/src/ports/database/postgres.ts';
import { embeddedData, fill, hashesOf, rowsOf } from '../../server/test/support/moved-data.ts';
import {
  hasPostgres,
  startPostgres,
  type PostgresServer,
} from '../../server/test/support/postgres-server.ts';
import { Home } from './support/home.ts';
import { TerminalView } from './support/terminal-view.ts';

setDefaultTimeout(60_000);

const USAGE = 'usage: hearth migrate --to <url> [--blobs <url>]\n';
const SIZE = { contents: 30, uploads: 700, statics: 13, groups: 200 };

let home: Home;

beforeEach(async () => {
  home = await Home.make();
});

afterEach(() => home[Symbol.asyncDispose]());

describe('the command line', () => {
  test.each([
    [[], 'missing --to <url>'],
    [['--to'], '--to needs a value'],
    [['--to', 'postgres://db/hearth', 'more'], 'unexpected "more"'],
  ])('[OP32] hearth migrate %j is not understood', async (words, problem) => {
    expect(await home.run(['migrate', ...words])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `hearth: ${problem}\n${USAGE}`,
    });
  });

  test.each([
    [
      ['--to', 'mysql://a:secret@db/hearth'],
      {},
      /^hearth: --to: expected an address such as postgres:[^\n]+\n$/,
    ],
    [
      ['--to', 'postgres://db/hearth', '--blobs', 's3://files'],
      {},
      /^hearth: AWS_ACCESS_KEY_ID: expected with --blobs\nhearth: AWS_SECRET_ACCESS_KEY: expected with --blobs\n$/,
    ],
    [
      ['--to', 'postgres://db/hearth'],
      { BLOBS_URL: 's3://files' },
      /^hearth: BLOBS_URL is set: add --blobs "\$BLOBS_URL" [^\n]+\n$/,
    ],
    [
      ['--to', 'postgres://db/hearth'],
      {},
      /^hearth: DATA_DIR: there is no instance data in [^\n]+\n$/,
    ],
  ])(
    '[OP33] what cannot be moved so is told in a line that says why: %j',
    async (words, env, told) => {
      const { exitCode, stdout, stderr } = await home.run(['migrate', ...words], env);
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr).toMatch(told);
      expect(stderr).not.toContain('secret');
      expect(await home.names()).toEqual([]);
    },
  );

  test('[OP33] a running instance is not moved', async () => {
    await home.start();
    const { exitCode, stdout, stderr } = await home.run([
      'migrate',
      '--to',
      'postgres://127.0.0.1:1/hearth',
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toBe(
      `hearth: DATA_DIR: the instance is running on ${home.path('data')}: stop it first\n`,
    );
  });

  test('[OP33] a database that is not reached in time is told in a line', async () => {
    {
      await using data = await embeddedData(home.path('data'));
      await fill(data, { contents: 0, uploads: 0, statics: 0, groups: 0 });
    }
    const words = ['migrate', '--to', 'postgres://a:secret@127.0.0.1:1/hearth'];
    const { exitCode, stdout, stderr } = await home.run(words, { CONNECT_TIMEOUT: '1' });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(
      /\nhearth: --to: cannot reach 127\.0\.0\.1:1\/hearth within 1 s: [^\n]+\n$/,
    );
    expect(stderr).not.toContain('secret');
  });
});

describe.skipIf(!hasPostgres)('with PostgreSQL', () => {
  let server: PostgresServer;
  let url: string;

  beforeAll(async () => {
    server = await startPostgres();
  });

  beforeEach(async () => {
    url = await server.createDatabase();
  });

  afterAll(() => server?.[Symbol.asyncDispose]());

  test('[OP33,OP34] an instance is moved, and told what to set', async () => {
    const before = await filled();
    const moved = await home.run(['migrate', '--to', url]);
    expect(moved).toMatchObject({ exitCode: 0, stderr: '' });
    expect(moved.stdout.split('\n')).toEqual([
      'Moved records of files: 30',
      'Moved attachments: 700',
      'Moved static files: 13',
      'Moved groups of messages: 200',
      '',
      expect.stringContaining('Instance 145000000 is moved.'),
      '',
      `  DATABASE_URL=postgres://…@127.0.0.1:${server.port}${new URL(url).pathname}`,
      '',
      `The files stay in ${home.path('data/blobs')}: keep DATA_DIR as it is.`,
      expect.stringContaining(`The database in ${home.path('data')} is as it was.`),
      '',
    ]);
    expect(await rowsAt(url)).toEqual(before.rows);
    expect(await contents()).toEqual(before);
  });

  test('[OP35] a move that was killed at any moment goes on, and ends with everything there', async () => {
    const before = await filled();
    let kills = 0;
    for (const lines of [0, 0, 1, 2, 3]) {
      const moving = home.hearth(['migrate', '--to', url]);
      const delayMs = Math.random() * 400;
      if (lines > 0) await moving.stdout.find(MOVED[lines - 1] ?? /^/);
      else await new Promise((resolve) => setTimeout(resolve, delayMs));
      moving.signal('SIGKILL');
      if ((await moving.ended).exitCode !== 0) kills += 1;
    }
    expect(kills).toBeGreaterThan(0);
    expect(await home.run(['migrate', '--to', url])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await rowsAt(url)).toEqual(before.rows);
  });

  test('[OP35] a signal ends a move, and the same command goes on', async () => {
    await filled();
    const moving = home.hearth(['migrate', '--to', url]);
    await moving.stdout.find(/^Moved attachments/);
    moving.signal('SIGINT');
    const { exitCode, stderr } = await moving.ended;
    // It may have been over by then.
    if (exitCode !== 0) {
      expect({ exitCode, stderr }).toEqual({
        exitCode: 1,
        stderr: 'hearth: stopped: the same command goes on where it was\n',
      });
    }
    const again = await home.run(['migrate', '--to', url]);
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
    expect(again.stdout).toContain('Moved attachments: 700 (700 there already)\n');
  });

  test('[OP33] on a terminal it shows how far it is, and nothing of that stays', async () => {
    await filled();
    const { exitCode, stdout } = await home.hearth(['migrate', '--to', url], {}, 'terminal').ended;
    expect(exitCode).toBe(0);
    expect(stdout).toContain('attachments: 500 of 700');
    expect(new TerminalView(stdout).rows.slice(0, 4)).toEqual([
      'Moved records of files: 30',
      'Moved attachments: 700',
      'Moved static files: 13',
      'Moved groups of messages: 200',
    ]);
  });

  test('[OP38] two moves to one database do not meet', async () => {
    await filled();
    await using other = await Home.make();
    {
      await using data = await embeddedData(other.path('data'));
      await fill(data, SIZE);
    }
    const endings = await Promise.all(
      [home, other].map((each) => each.run(['migrate', '--to', url])),
    );
    const [failed, ...others] = endings.filter(({ exitCode }) => exitCode !== 0);
    // The one may have ended before the other has begun: then it is a move of the same instance, which goes on.
    if (failed !== undefined) {
      expect(others).toEqual([]);
      expect(failed.stderr).toMatch(/^hearth: --to: an instance or a move is using [^\n]+\n$/);
    }
  });

  const MOVED = [/^Moved records/, /^Moved attachments/, /^Moved static/];

  async function filled() {
    await using data = await embeddedData(home.path('data'));
    await fill(data, SIZE);
    return { rows: await rowsOf(data.database), hashes: await hashesOf(data) };
  }

  async function contents() {
    await using data = await embeddedData(home.path('data'));
    return { rows: await rowsOf(data.database), hashes: await hashesOf(data) };
  }

  async function rowsAt(address: string) {
    await using database: Database = await postgresDatabase(address, {
      log: await createLogger('silent'),
    });
    return rowsOf(database);
  }
});
