import { afterEach, beforeEach, expect, test } from 'bun:test';
import { COMMANDS } from './support/every-command.ts';
import { Home } from './support/home.ts';

let home: Home;

beforeEach(async () => {
  home = await Home.make();
});

afterEach(() => home[Symbol.asyncDispose]());

test('[OP9] --help works on every command and exits with 0', async () => {
  const endings = await Promise.all(
    COMMANDS.map((command) => home.runHere([...command.split(' ').filter(Boolean), '--help'])),
  );
  for (const [index, { exitCode, stdout, stderr }] of endings.entries()) {
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain(`usage: ${`hearth ${COMMANDS[index]}`.trim()}`);
  }
  expect(await home.names()).toEqual([]);
});

test('a process prints and ends as the tests of command lines expect, which run without one', async () => {
  const lines = ['--version', 'start -v', 'frobnicate', 'static ad x', 'static add', 'static ls'];
  const each = [...lines, 'static', 'static add -h', 'attachments rm 1'].map((line) =>
    line.split(' '),
  );
  const endings = await Promise.all(each.map((words) => home.run(words)));
  expect(endings).toEqual(await Promise.all(each.map((words) => home.runHere(words))));
  expect(endings.map(({ exitCode }) => exitCode)).toEqual([0, 0, 2, 2, 2, 1, 2, 0, 1]);
});
