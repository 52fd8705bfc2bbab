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
  const texts = async (...words: readonly string[]) => {
    const { exitCode, stdout, stderr } = await home.run(['search', rest, ...words]);
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

test.each([
  [[], 'missing <word>, --from or --has'],
  [['word', '--has', 'sound'], '--has must be file, picture, link, not "sound"'],
  [['word', '--limit', 'x'], '--limit must be a whole number, not "x"'],
])('[SE11][OP32] search %j ends with exit code 2: %s', async (words, reason) => {
  const { exitCode, stderr } = await home.run(['search', rest, ...words]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(reason);
});
