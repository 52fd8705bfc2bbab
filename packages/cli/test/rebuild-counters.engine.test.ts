import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { expect, test } from 'bun:test';
import { Home } from './support/home.ts';

test('[VO11] rebuild counters prints how many were wrong', async () => {
  await using home = await Home.make();
  await using instance = await startTestInstance({ folder: home.folder });
  expect(instance.addresses.rest).not.toBe('');
  const none = '(posts: 0, comments: 0, polls: 0, points of people: 0)';
  expect(await home.run(['rebuild', 'counters'])).toEqual({
    exitCode: 0,
    stdout: `Wrong counters: 0 ${none}\n`,
    stderr: '',
  });
});
