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
import { rm } from 'node:fs/promises';
import { sha256 } from '@hearth/testing/ports/moved-data';
import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import { sharedPostgres, type SharedPostgres } from '@hearth/testing/servers/shared-postgres';
import { IS_S3_SKIPPED } from '@hearth/testing/servers/s3-server';
import { useS3 } from '@hearth/testing/servers/use-s3';
import { Home } from './support/home.ts';
import { filled, rowsAt, stored, type Data } from './support/moved-home.ts';

setDefaultTimeout(60_000);

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

describe.skipIf(!hasPostgres || IS_S3_SKIPPED)('with PostgreSQL and S3', () => {
  const s3 = useS3();
  let url: string;
  let prefix: string;

  beforeEach(async () => {
    url = await server.createDatabase();
    prefix = crypto.randomUUID();
  });

  test('[OP34] with --blobs, the files are copied byte for byte', async () => {
    const before = await filled(home);
    const { exitCode, stdout, stderr } = await move();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^Moved files: 30 \(\d+\.\d kB copied\)\n/);
    expect(stdout).toContain(
      `\n  DATABASE_URL=postgres://…@127.0.0.1:${server.port}${new URL(url).pathname}\n  BLOBS_URL=${s3().url(prefix)}\n`,
    );
    await expectThere(before);
    expect(await stored(home)).toEqual(before);
  });

  test('[OP34,OP35] files may be copied by a later move, and each is copied once', async () => {
    const before = await filled(home);
    expect(await home.run(['migrate', '--to', url])).toMatchObject({ exitCode: 0 });
    expect((await move()).stdout).toContain('Moved attachments: 700 (700 already there)\n');
    expect((await move()).stdout).toMatch(
      /^Moved files: 30 \(0 bytes copied, 30 already there\)\n/,
    );
    await expectThere(before);
    expect(await home.run(['migrate', '--to', url])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^hearth: --blobs: expected again: [^\n]+\n$/),
    });
  });

  test('[OP35] a move with files that was killed at any moment can be continued and ends with all data moved', async () => {
    const before = await filled(home);
    for (const _ of Array(2)) {
      const moving = home.hearth(words(), env());
      await new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 1_000));
      moving.signal('SIGKILL');
      await moving.ended;
    }
    expect(await move()).toMatchObject({ exitCode: 0, stderr: '' });
    await expectThere(before);
  });

  test('[OP37] a missing file is reported, and the exit code is 1', async () => {
    const { hashes } = await filled(home);
    const [key = ''] = Object.keys(hashes);
    await rm(home.path(`data/blobs/${key.slice(0, 2)}/${key}`));
    const { exitCode, stdout, stderr } = await move();
    expect(exitCode).toBe(1);
    expect(stdout).toContain('DATABASE_URL=');
    expect(stderr).toMatch(
      /^hearth: not copied: [^\n]+: it is missing\nhearth: 1 of the files could not be copied: [^\n]+\n$/,
    );
    expect(Object.keys(await objects())).toEqual(
      Object.keys(hashes).filter((each) => each !== key),
    );
  });

  test('[OP33] a bucket that does not exist is reported with the name of the flag', async () => {
    await filled(home);
    const elsewhere = s3().url().replace('s3://hearth', 's3://elsewhere');
    const { exitCode, stdout, stderr } = await home.run(
      ['migrate', '--to', url, '--blobs', elsewhere],
      env(),
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^hearth: --blobs: cannot use s3:\/\/elsewhere: [^\n]+\n$/);
  });

  const words = () => ['migrate', '--to', url, '--blobs', s3().url(prefix)];

  function env(): Readonly<Record<string, string>> {
    const { BLOBS_URL: _address, ...keys } = s3().env();
    return keys;
  }

  function move() {
    return home.run(words(), env());
  }

  async function expectThere({ rows, hashes }: Data): Promise<void> {
    expect(await rowsAt(url)).toEqual(rows);
    expect(await objects()).toEqual(hashes);
  }

  /** The hashes of all objects, by content key. */
  async function objects(): Promise<Readonly<Record<string, string>>> {
    const begin = `${prefix}/contents/`;
    const keys = (await s3().list(begin)).toSorted();
    const entries = keys.map(
      async (key) =>
        [key.slice(begin.length), sha256((await s3().get(key)) ?? new Uint8Array())] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }
});
