import { searchContents, untilFound } from '@hearth/testing/clients/history-client';
import { fakeClock } from '@hearth/testing/fake-clock';
import { asOwner } from '@hearth/testing/instances/as-owner';
import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';
import { besideInstance } from './support/beside-instance.ts';
import type { Home } from './support/home.ts';
import { history, post } from './support/lobby.ts';

let home: Home;
let rest: string;

besideInstance((ownHome, own) => {
  home = ownHome;
  ({ rest } = own);
});

test('[SE11] search prints what it finds, the newest message last, as a line or as JSON', async () => {
  for (let count = 1; count <= 120; count += 1) await post(rest, `message ${count}`);
  await post(rest, 'Good evening\nto all', 'ada');
  await post(rest, 'good morning', 'ada');
  await untilFound({ addresses: { rest } }, 'good', ['good morning', 'Good evening\nto all']);
  const texts = async (...words: readonly string[]) => {
    const { exitCode, stdout, stderr } = await home.runHere(['search', rest, ...words]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return stdout.split('\n').slice(0, -1);
  };
  const asPrinted = (line: string) => line.replace(/^\S+Z /, '');
  expect((await texts('good')).map(asPrinted)).toEqual([
    'ada: Good evening\\nto all',
    'ada: good morning',
  ]);
  expect((await texts('GOOD', 'eve')).map(asPrinted)).toEqual(['ada: Good evening\\nto all']);
  expect(await texts('"evening good"')).toEqual([]);
  const messages = await history(rest);
  const jsonOf = await texts('--from', 'Ada', '--json', '--limit', '1');
  expect(jsonOf.map((line) => JSON.parse(line))).toEqual([messages.at(-1)]);
  expect(await texts('mess', '--limit', '115')).toHaveLength(115);
  expect(await texts('mess', '--limit', '200')).toHaveLength(120);
});

test('[SE13][SE13a] rebuild search makes the index of a running instance again', async () => {
  const clock = fakeClock(Date.now());
  await using instance = await startTestInstance({ folder: home.folder, clock });
  for (let count = 1; count <= 130; count += 1) {
    await post(instance.addresses.rest, `message ${count}`);
  }
  const found = () => searchContents(instance, '"5"');
  const becomes = (contents: readonly string[]) =>
    until(async () => {
      clock.advance(1_000);
      return Bun.deepEquals(await found(), contents);
    });
  await becomes(['message 5']);
  // What is missing in the index is not found.
  await asOwner(instance, ({ database }) =>
    database.transaction((tx) => tx.sql.deleteFrom('search_words').execute()),
  );
  expect(await found()).toEqual([]);
  expect(await home.runHere(['rebuild', 'search'])).toEqual({
    exitCode: 0,
    stdout: 'The search index is rebuilt in the background\n',
    stderr: '',
  });
  expect(await found()).toEqual([]);
  await becomes(['message 5']);
  const status = async (...options: readonly string[]) =>
    (await home.runHere(['rebuild', 'status', ...options])).stdout;
  await until(async () => {
    clock.advance(1_000);
    return (await status()) === 'The search index is complete: 130 entries\n';
  });
  await instance.stop();
  // Nobody works on it now.
  await home.runHere(['rebuild', 'search']);
  expect(await status()).toBe('The search index is being made: 0 of about 130 entries (0 %)\n');
  expect(JSON.parse(await status('--json'))).toMatchObject({ complete: false, entries: 0 });
});

test.each([
  [[], 'missing <word>, --from or --has'],
  [['word', '--has', 'sound'], '--has must be file, picture, link, not "sound"'],
  [['word', '--limit', 'x'], '--limit must be a whole number, not "x"'],
])('[SE11][OP32] search %j ends with exit code 2: %s', async (words, reason) => {
  const { exitCode, stderr } = await home.runHere(['search', rest, ...words]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(reason);
});
