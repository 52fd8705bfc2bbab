import { expect, test } from 'bun:test';
import { startDocumentedServer } from '@hearth/testing/clients/documented-server';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { HEARTH, type Ending } from '@hearth/testing/programs/hearth-process';
import { besideInstance } from './support/beside-instance.ts';
import type { Home } from './support/home.ts';
import { post, said } from './support/lobby.ts';

const DONE: Ending = { exitCode: 0, stdout: '', stderr: '' };

let home: Home;
let addresses: TestInstance['addresses'];
let rest: string;

besideInstance((ownHome, own) => {
  home = ownHome;
  addresses = own;
  ({ rest } = own);
});

test('[OP29] send posts one message', async () => {
  expect(await home.run(['send', rest, 'Hello, hearth!', '--name', 'ada'])).toEqual(DONE);
  expect(await home.run(['send', '--name=ada', '--', rest, '--hello'])).toEqual(DONE);
  expect(await said(rest)).toEqual(['ada: Hello, hearth!', 'ada: --hello']);
});

test('[OP29][OP32] an address needs no http:// and no port of its own host', async () => {
  const bare = rest.replace('http://', '');
  expect(await home.run(['send', bare, 'bare', '--name', 'ada'])).toEqual(DONE);
  expect(await home.run(['send', `${rest}/`, 'slash', '--name', 'ada'])).toEqual(DONE);
  expect(await said(rest)).toEqual(['ada: bare', 'ada: slash']);
});

test.each([
  ['one\ntwo\n', 'one\ntwo'],
  ['one\r\n', 'one'],
  ['  one\n\n', '  one\n'],
  ['日本語 🔥', '日本語 🔥'],
  ['🔥'.repeat(2048), '🔥'.repeat(2048)],
])('[OP29] the whole of standard input is one message (%#)', async (input, content) => {
  expect(await sendInput(input)).toEqual(DONE);
  expect(await said(rest)).toEqual([`ada: ${content}`]);
});

test.each([
  ['', /^hearth: invalid content: must be text of 1 to 2048 characters\n$/],
  ['x'.repeat(2049), /^hearth: invalid content: must be text of 1 to 2048 characters\n$/],
  [
    'x'.repeat(100_000),
    /^hearth: a message has 2048 characters at most, and standard input has more\n$/,
  ],
  [new Uint8Array([0xff, 0xfe]), /^hearth: standard input is no UTF-8 text\n$/],
])('[OP29] what is no message fails (%#)', async (input, stderr) => {
  expect(await sendInput(input)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringMatching(stderr),
  });
  expect(await said(rest)).toEqual([]);
});

test('[OP29] send waits for the limit', async () => {
  await using slow = await startTestInstance({
    toml: GENEROUS_LIMITS.replace(
      /message_create.*/,
      'message_create = { reset_after = 1, limit = 1 }',
    ),
  });
  const words = ['send', slow.addresses.rest, 'hello', '--name', 'ada'];
  expect(await Promise.all([1, 2, 3].map(() => home.run(words)))).toEqual([DONE, DONE, DONE]);
  expect(await said(slow.addresses.rest)).toHaveLength(3);
});

test('[OP28][OP29] on a terminal send tells that it waits', async () => {
  await using slow = await startTestInstance({
    toml: GENEROUS_LIMITS.replace(
      /message_create.*/,
      'message_create = { reset_after = 8, limit = 1 }',
    ),
  });
  const words = ['send', slow.addresses.rest, 'hello', '--name', 'ada'];
  await post(slow.addresses.rest, 'the one that is allowed');
  const { exitCode, stdout } = await home.hearth(words, {}, 'terminal').ended;
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^hearth: sent in [1-8] s\r\n$/);
});

test.each([
  [
    ['send', 'URL', 'hello'],
    'hearth: missing --name <name>\nusage: hearth send <instance url> <text> --name <name>\n',
  ],
  [
    ['send', 'URL', 'hello', '--name', 'a'],
    'hearth: --name must be 2 to 32 characters long\nusage: ',
  ],
  [['send', 'URL', '--name', 'ada'], 'hearth: missing <text>\nusage: '],
  [['send', 'URL', 'hello', 'ada', '--name', 'ada'], 'hearth: unexpected "ada"\nusage: '],
  [
    ['send', 'ftp://x', 'hello', '--name', 'ada'],
    'hearth: "ftp://x" is no address of an instance\n',
  ],
  [['send', 'a b', 'hello', '--name', 'ada'], 'hearth: "a b" is no address of an instance\n'],
  [['sned', 'URL', 'hello'], 'hearth: unknown command "sned"; did you mean "send"?\n'],
])('[OP32] hearth %j is not understood', async (words, stderr) => {
  const { exitCode, ...told } = await home.run(words.map((word) => word.replace('URL', rest)));
  expect(exitCode).toBe(2);
  expect(told).toEqual({ stdout: '', stderr: expect.stringContaining(stderr) });
});

test('[OP32] what cannot be reached, or is no instance, is told in a line', async () => {
  const { gateway } = addresses;
  await using page = startDocumentedServer({
    answer: () =>
      new Response('<h1>\u001b[31mhi</h1>', { headers: { 'content-type': 'text/html' } }),
  });
  const endings = await Promise.all(
    ['http://127.0.0.1:1', gateway.replace('ws', 'http'), page.url].map((url) =>
      home.run(['send', url, 'hello', '--name', 'ada']),
    ),
  );
  expect(endings.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1]);
  expect(endings.map(({ stderr }) => stderr)).toEqual([
    'hearth: the instance cannot be reached: nothing listens there\n',
    'hearth: this is the gateway: connect with a WebSocket client\n',
    expect.stringMatching(/^hearth: not an answer of an instance: .*\n$/),
  ]);
  expect(endings.map(({ stderr }) => stderr).join('')).not.toContain('\u001b');
});

test('[OP26][OP32] what an instance says of a failure is one line, and harmless', async () => {
  await using server = startDocumentedServer({
    answer: ({ method }) =>
      method === 'POST'
        ? Response.json({ status: 403, message: 'No\u001b[2J\nno' }, { status: 403 })
        : undefined,
  });
  expect(await home.run(['send', server.url, 'hello', '--name', 'ada'])).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'hearth: no\ufffd[2J no\n',
  });
});

test('[OP29][OP32] the bundle sends and fails as the sources do', async () => {
  const send = (url: string, text: string) =>
    home.script(['run', 'hearth', 'send', url, text, '--name', 'ada']).then(({ ended }) => ended);
  expect(await send(rest, 'hello')).toMatchObject({ exitCode: 0, stdout: '' });
  expect(await said(rest)).toEqual(['ada: hello']);
  const refused = await send(rest, '');
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain('hearth: invalid content: must be text of 1 to 2048 characters');
});

async function sendInput(input: string | Uint8Array): Promise<Ending> {
  const command = [...HEARTH, 'send', rest, '-', '--name', 'ada'];
  const sending = home.launch({ command, folder: home.folder, env: {}, hasInput: true });
  sending.write(input);
  sending.endInput();
  return sending.ended;
}
