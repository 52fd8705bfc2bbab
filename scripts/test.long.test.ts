import { expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentOf } from '@hearth/testing/test-run';
import { until } from '@hearth/testing/until';

test('a run ends that is stopped while its servers start', async () => {
  await using run = Bun.spawn([process.execPath, join(import.meta.dirname, 'test.ts')], {
    env: { ...process.env, ...environmentOf({}) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const children = `/proc/${run.pid}/task/${run.pid}/children`;
  await until(async () => (await readFile(children, 'utf8')) !== '');
  run.kill('SIGTERM');
  expect(await run.exited).toBe(143);
});
