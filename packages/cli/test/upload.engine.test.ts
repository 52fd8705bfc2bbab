import { expect, test } from 'bun:test';
import { mkdir } from 'node:fs/promises';
import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { besideInstance } from './support/beside-instance.ts';
import type { Home } from './support/home.ts';
import { said } from './support/lobby.ts';
import { get } from './support/talk.ts';
import { TerminalView } from './support/terminal-view.ts';

const USAGE =
  'usage: hearth upload <instance url> <file>… [--spoiler] [--json] [--say] [--name <name>] [--as-guest] [--access-code <code>]\n';

let home: Home;
let rest: string;
let files: string;

besideInstance((ownHome, own) => {
  home = ownHome;
  ({ rest, files } = own);
});

test('[OP31] upload prints the address of each file', async () => {
  await home.write('a b.txt', 'first');
  const path = await home.write('b.bin', new Uint8Array(3_000_000).fill(7));
  const { exitCode, stdout, stderr } = await home.runHere(['upload', rest, 'a b.txt', path]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const [first = '', second = '', ...others] = stdout.split('\n');
  expect(others).toEqual(['']);
  expect(first).toStartWith(`${files}/`);
  expect(await get(first)).toEqual({ status: 200, text: 'first' });
  expect(await get(`${first}/data`)).toMatchObject({ text: expect.stringContaining('"a b.txt"') });
  const bytes = await (await fetch(second)).bytes();
  expect(bytes).toEqual(new Uint8Array(3_000_000).fill(7));
  expect(await said(rest)).toEqual([]);
});

test('[OP31] upload --json prints the data of each file', async () => {
  await home.write('a.txt', 'first');
  await home.write('b.txt', 'second');
  const uploaded = home.here(['upload', rest, '--json', '--spoiler', 'a.txt', 'b.txt']);
  expect(await uploaded.ended).toMatchObject({ exitCode: 0, stderr: '' });
  const common = { bucket: 'attachments', spoiler: true, metadata: { type: 'text' } };
  expect(uploaded.stdout.entries).toEqual([
    { id: expect.stringMatching(/^\d+$/), name: 'a.txt', size: 5, ...common },
    { id: expect.stringMatching(/^\d+$/), name: 'b.txt', size: 6, ...common },
  ]);
});

test('[OP31] upload --say sends the address of each file as a message', async () => {
  await home.write('a.txt', 'first');
  await home.write('b.txt', 'second');
  const { stdout } = await home.runHere([
    'upload',
    rest,
    'a.txt',
    'b.txt',
    '--say',
    '--name',
    'ada',
  ]);
  expect(await said(rest)).toEqual(
    stdout
      .trim()
      .split('\n')
      .map((address) => `ada: ${address}`),
  );
});

test('[OP31] a file that cannot be uploaded is reported, and the others are uploaded', async () => {
  await using small = await startTestInstance({
    toml: GENEROUS_LIMITS.replace(
      '[effis.rate_limits]',
      '[effis]\nattachment_file_size = "1KB"\n$&',
    ),
  });
  await home.write('a.txt', 'fits');
  await home.write('large.bin', new Uint8Array(1_001));
  await mkdir(home.path('folder'));
  const words = ['upload', small.addresses.rest, 'nothing', 'folder', 'large.bin', 'a.txt'];
  const { exitCode, stdout, stderr } = await home.runHere(words);
  expect(exitCode).toBe(1);
  expect(stderr.split('\n')).toEqual([
    `hearth: cannot read ${home.path('nothing')}: there is no such file`,
    `hearth: cannot read ${home.path('folder')}: it is a folder`,
    'hearth: cannot upload large.bin: it has 1.0 kB, the server accepts at most 1.0 kB',
    '',
  ]);
  expect(await get(stdout.trim())).toEqual({ status: 200, text: 'fits' });
});

test('[OP31] on a terminal, upload shows its progress and clears it at the end', async () => {
  await home.write('large.bin', new Uint8Array(5_000_000));
  const uploading = home.hearth(['upload', rest, 'large.bin'], {}, 'terminal');
  const { exitCode, stdout } = await uploading.ended;
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/large\.bin: \d+ % of 5\.0 MB/);
  expect(new TerminalView(stdout).rows).toEqual([expect.stringMatching(/^http\S+$/), '']);
  const dumb = await home.here(['upload', rest, 'large.bin'], { TERM: 'dumb' }, { on: 'terminal' })
    .ended;
  expect(dumb.stdout).toMatch(/^http\S+\r\n$/);
});

test('[OP31] if the instance cannot be reached, the next files are not tried', async () => {
  await home.write('a.txt', 'first');
  expect(await home.runHere(['upload', 'http://127.0.0.1:1', 'a.txt', 'a.txt'])).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'hearth: cannot reach the server: nothing listens there\n',
  });
});

test.each([
  [[], 'missing <instance url>'],
  [['URL'], 'missing <file>'],
  [['URL', 'a.txt', '--say'], 'missing --name <name>'],
  [['URL', 'a.txt', '--name', 'ada'], '--name needs --say'],
])('[OP32] hearth upload %j is refused with the usage', async (words, problem) => {
  expect(await home.runHere(['upload', ...words])).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `hearth: ${problem}\n${USAGE}`,
  });
});
