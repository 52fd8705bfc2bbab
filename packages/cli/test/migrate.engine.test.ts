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
import { embeddedData, fill } from '@hearth/testing/ports/moved-data';
import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import { queryPostgres } from '@hearth/testing/servers/query-postgres';
import { sharedPostgres, type SharedPostgres } from '@hearth/testing/servers/shared-postgres';
import { Home } from './support/home.ts';
import { filled, noteUnfinished, rowsAt, SIZE, stored } from './support/moved-home.ts';
import { get, upload } from './support/talk.ts';
import { TerminalView } from './support/terminal-view.ts';

setDefaultTimeout(120_000);

const USAGE = 'usage: hearth migrate --to <url> [--blobs <url>]\n';

let home: Home;
let server: SharedPostgres;

beforeAll(async () => {
  if (hasPostgres) server = await sharedPostgres();
});

afterAll(() => server?.[Symbol.asyncDispose]());

beforeEach(async () => {
  home = await Home.make();
});

afterEach(() => home[Symbol.asyncDispose]());

describe('the command line', () => {
  const misunderstood = [
    [[], 'missing --to <url>'],
    [['--to'], '--to needs a value'],
    [['--to', 'postgres://db/hearth', 'more'], 'unexpected "more"'],
  ] as const;

  test('[OP32] a command line that is not understood is refused with the reason and the usage', async () => {
    const endings = misunderstood.map(([words]) => home.runHere(['migrate', ...words]));
    expect(await Promise.all(endings)).toEqual(
      misunderstood.map(([, problem]) => ({
        exitCode: 2,
        stdout: '',
        stderr: `hearth: ${problem}\n${USAGE}`,
      })),
    );
  });

  const refused = [
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
      { COMPONENTS: 'gateway' },
      /^hearth: DATA_DIR: there is no instance data in [^\n]+\n$/,
    ],
    [
      ['--to', 'postgres://db/hearth'],
      {},
      /^hearth: DATA_DIR: there is no instance data in [^\n]+\n$/,
    ],
  ] as const;

  test('[OP33] a move that is not possible is refused with a line that gives the reason', async () => {
    const endings = await Promise.all(
      refused.map(([words, env]) => home.runHere(['migrate', ...words], env)),
    );
    for (const [index, { exitCode, stdout, stderr }] of endings.entries()) {
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr).toMatch(refused[index]?.[2] ?? /^$/);
      expect(stderr).not.toContain('secret');
    }
    expect(await home.names()).toEqual([]);
  });

  test('[OP33] a running instance cannot be moved', async () => {
    await home.startHere();
    const { exitCode, stdout, stderr } = await home.runHere([
      'migrate',
      '--to',
      'postgres://127.0.0.1:1/hearth',
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toBe(
      `hearth: DATA_DIR: the instance is running on ${home.path('data')}: stop it first\n`,
    );
  });

  test('[OP33] a database that cannot be reached in time is reported in one line', async () => {
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
  let url: string;

  beforeEach(async () => {
    url = await server.createDatabase();
  });

  test('[OP77] a move to a database of an earlier development version is refused', async () => {
    await filled(home);
    await queryPostgres(url, 'create table kysely_migration (name text, timestamp text)');
    await queryPostgres(url, "insert into kysely_migration values ('065-earlier', '2026-01-01')");
    const { exitCode, stderr } = await home.run(['migrate', '--to', url]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^hearth: --to: cannot use \S+: an earlier development version of Hearth made it \(migration 065-earlier\): start afresh /,
    );
  });

  test('[OP33,OP34] a move reports each table and prints the variables to set', async () => {
    const before = await filled(home);
    const moved = await home.run(['migrate', '--to', url]);
    expect(moved).toMatchObject({ exitCode: 0, stderr: '' });
    expect(moved.stdout.split('\n')).toEqual([
      'Moved records of files: 30',
      'Moved versions of pictures: 4',
      'Moved attachments: 700',
      'Moved static files: 13',
      'Moved groups of messages: 200',
      'Moved restrictions: 1',
      'Moved bans: 1',
      '',
      expect.stringContaining('Instance 145000000 has been moved.'),
      '',
      `  DATABASE_URL=postgres://…@127.0.0.1:${server.port}${new URL(url).pathname}`,
      '',
      `The files stay in ${home.path('data/blobs')}: keep DATA_DIR as it is.`,
      expect.stringContaining(`The database in ${home.path('data')} is unchanged.`),
      '',
    ]);
    expect(await rowsAt(url)).toEqual(before.rows);
    expect(await stored(home)).toEqual(before);
  });

  test('[OP38,OP39] an instance starts on its moved data only after the move, and later moves are refused', async () => {
    const env = { DATABASE_URL: url };
    const first = await home.startHere();
    const { id } = await upload(home.addresses.files, 'moved');
    await first.stop();
    const path = `/attachments/${id}`;
    const moving = home.hearth(['migrate', '--to', url]);
    await moving.stdout.find(/^Moved records/);
    moving.signal('SIGKILL');
    await moving.ended;
    await noteUnfinished(url);
    for (const words of [['start'], ['attachments', 'list']]) {
      const refused = await home.runHere(words, env);
      expect({ ...refused, stderr: refused.stderr.split('\n').at(-2) ?? '' }).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^hearth: DATABASE_URL: the move of an instance to this database is unfinished: run hearth migrate /,
        ),
      });
    }
    expect(await home.runHere(['migrate', '--to', url])).toMatchObject({ exitCode: 0 });
    const second = await home.startHere(env);
    expect(await get(`${home.addresses.files}${path}`)).toEqual({ status: 200, text: 'moved' });
    await upload(home.addresses.files, 'after the move');
    await second.stop();
    const again = await home.runHere(['migrate', '--to', url]);
    expect(again).toMatchObject({ exitCode: 1, stdout: '' });
    expect(again.stderr).toMatch(/^hearth: --to: this database is in use: [^\n]+\n$/);
    expect((await rowsAt(url))['uploads']).toHaveLength(2);
  });

  test('[OP35] a move that was killed at any moment can be continued and ends with all data moved', async () => {
    const before = await filled(home);
    let kills = 0;
    for (const line of [/^Moved records/, /^Moved static/]) {
      const moving = home.hearth(['migrate', '--to', url]);
      await moving.stdout.find(line);
      moving.signal('SIGKILL');
      if ((await moving.ended).exitCode !== 0) kills += 1;
    }
    expect(kills).toBeGreaterThan(0);
    expect(await home.runHere(['migrate', '--to', url])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await rowsAt(url)).toEqual(before.rows);
  });

  test('[OP35] a signal ends a move, and the same command continues it', async () => {
    await filled(home);
    const moving = home.hearth(['migrate', '--to', url]);
    await moving.stdout.find(/^Moved attachments/);
    moving.signal('SIGINT');
    const { exitCode, stderr } = await moving.ended;
    // The move may have been finished before the signal.
    if (exitCode !== 0) {
      expect({ exitCode, stderr }).toEqual({
        exitCode: 1,
        stderr: 'hearth: stopped: run the same command again to continue\n',
      });
    }
    const again = await home.runHere(['migrate', '--to', url]);
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
    expect(again.stdout).toContain('Moved attachments: 700 (700 already there)\n');
  });

  test('[OP33] on a terminal, a move shows its progress and clears it at the end', async () => {
    await filled(home);
    const { exitCode, stdout } = await home.hearth(['migrate', '--to', url], {}, 'terminal').ended;
    expect(exitCode).toBe(0);
    expect(stdout).toContain('attachments: 500 of 700');
    expect(new TerminalView(stdout).rows.slice(0, 5)).toEqual([
      'Moved records of files: 30',
      'Moved versions of pictures: 4',
      'Moved attachments: 700',
      'Moved static files: 13',
      'Moved groups of messages: 200',
    ]);
  });

  test('[OP38] two moves to one database do not run at the same time', async () => {
    await filled(home);
    await using other = await Home.make();
    {
      await using data = await embeddedData(other.path('data'));
      await fill(data, SIZE);
    }
    const endings = await Promise.all(
      [home, other].map((each) => each.run(['migrate', '--to', url])),
    );
    const [failed, ...others] = endings.filter(({ exitCode }) => exitCode !== 0);
    // If one ends before the other begins, both succeed: the second is a move of the same instance.
    if (failed !== undefined) {
      expect(others).toEqual([]);
      expect(failed.stderr).toMatch(/^hearth: --to: an instance or a move is using [^\n]+\n$/);
    }
  });
});
