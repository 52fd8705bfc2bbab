import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import { sharedPostgres } from '@hearth/testing/servers/shared-postgres';
import { IS_S3_SKIPPED } from '@hearth/testing/servers/s3-server';
import { useS3 } from '@hearth/testing/servers/use-s3';
import { Home } from './support/home.ts';
import { filled, rowsAt } from './support/moved-home.ts';

setDefaultTimeout(120_000);

const KILLS = 10;

let home: Home;

beforeEach(async () => {
  home = await Home.make();
});

afterEach(() => home[Symbol.asyncDispose]());

describe.skipIf(!hasPostgres || IS_S3_SKIPPED)('a move that is killed repeatedly', () => {
  const s3 = useS3();

  test.each(['with its files', 'without its files'])('%s ends with all data moved', async (how) => {
    await using server = await sharedPostgres();
    const url = await server.createDatabase();
    const { BLOBS_URL: _address, ...keys } = s3().env();
    const withFiles = how === 'with its files';
    const words = [
      'migrate',
      '--to',
      url,
      ...(withFiles ? ['--blobs', s3().url(crypto.randomUUID())] : []),
    ];
    const env = withFiles ? keys : {};
    const before = await filled(home);
    let killed = 0;
    for (const _ of Array(KILLS)) {
      const moving = home.hearth(words, env);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_000));
      moving.signal('SIGKILL');
      if ((await moving.ended).exitCode !== 0) killed += 1;
    }
    expect(killed).toBeGreaterThan(0);
    expect(await home.run(words, env)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await rowsAt(url)).toEqual(before.rows);
  });
});
