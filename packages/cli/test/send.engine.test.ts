import { expect, test } from 'bun:test';
import { startDocumentedServer } from '@hearth/testing/clients/documented-server';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import type { Ending } from '@hearth/testing/programs/hearth-process';
import { startBusyServer } from './support/busy-server.ts';
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

test('[OP29] `send` posts one message', async () => {
  expect(await home.run(['send', rest, 'Hello, hearth!', '--name', 'ada'])).toEqual(DONE);
  expect(await home.runHere(['send', '--name=ada', '--', rest, '--hello'])).toEqual(DONE);
  expect(await said(rest)).toEqual(['ada: Hello, hearth!', 'ada: --hello']);
});

test('[OP29][OP32] an address may leave out http:// or end with a slash', async () => {
  const bare = rest.replace('http://', '');
  expect(await home.runHere(['send', bare, 'bare', '--name', 'ada'])).toEqual(DONE);
  expect(await home.runHere(['send', `${rest}/`, 'slash', '--name', 'ada'])).toEqual(DONE);
  expect(await said(rest)).toEqual(['ada: bare', 'ada: slash']);
});

test.each([
  ['one\ntwo\n', 'one\ntwo'],
  ['one\r\n', 'one'],
  ['  one\n\n', '  one\n'],
  ['日本語 🔥', '日本語 🔥'],
  ['🔥'.repeat(2048), '🔥'.repeat(2048)],
])('[OP29] all of standard input is sent as one message (%#)', async (input, content) => {
  expect(await sendInput(input)).toEqual(DONE);
  expect(await said(rest)).toEqual([`ada: ${content}`]);
});

test.each([
  ['', /^hearth: invalid content: must be text of 1 to 2048 characters\n$/],
  ['x'.repeat(2049), /^hearth: invalid content: must be text of 1 to 2048 characters\n$/],
  ['x'.repeat(100_000), /^hearth: standard input: expected at most 2048 characters, got more\n$/],
  [new Uint8Array([0xff, 0xfe]), /^hearth: standard input: expected UTF-8 text\n$/],
])('[OP29] standard input that cannot be a message is refused (%#)', async (input, stderr) => {
  expect(await sendInput(input)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringMatching(stderr),
  });
  expect(await said(rest)).toEqual([]);
});

test('[OP29] `send` waits for the rate limit', async () => {
  await using slow = await startTestInstance({
    toml: GENEROUS_LIMITS.replace(
      /message_create.*/,
      'message_create = { reset_after = 1, limit = 1 }',
    ),
  });
  const words = ['send', slow.addresses.rest, 'hello', '--name', 'ada'];
  expect(await Promise.all([1, 2, 3].map(() => home.runHere(words)))).toEqual([DONE, DONE, DONE]);
  expect(await said(slow.addresses.rest)).toHaveLength(3);
});

test('[OP76] `send` waits for a busy place, and says so on a terminal', async () => {
  await using server = startBusyServer(1, 10);
  const words = ['send', server.url, 'hello', '--name', 'ada'];
  const { exitCode, stdout } = await home.hearth(words, {}, 'terminal').ended;
  expect(exitCode).toBe(0);
  expect(stdout).toBe('hearth: too much is happening there at once, trying again\r\n');
  expect(server.bodies).toEqual([{ author: 'ada', content: 'hello' }]);
});

test('[OP76] `send` fails if a place is busy for too long', async () => {
  await using server = startBusyServer(Infinity, 60_000);
  const stderr = 'hearth: too much is happening there at once: try again in a moment\n';
  const outcome = await home.runHere(['send', server.url, 'hello', '--name', 'ada']);
  expect(outcome).toEqual({ exitCode: 1, stdout: '', stderr });
  expect(server.bodies).toEqual([]);
});

test('[OP28][OP29] on a terminal, send prints how long it waits for the rate limit', async () => {
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
  expect(stdout).toMatch(/^hearth: rate limit reached, sending in [1-8] s\r\n$/);
});

test.each([
  [
    ['send', 'URL', 'hello'],
    'hearth: missing --name <name>\nusage: hearth send <instance url> <text> [--in <community/channel>] [--name <name>] [--as-guest] [--access-code <code>]\n',
  ],
  [
    ['send', 'URL', 'hello', '--name', 'a'],
    'hearth: --name must be 2 to 32 characters long\nusage: ',
  ],
  [['send', 'URL', '--name', 'ada'], 'hearth: missing <text>\nusage: '],
  [['send', 'URL', 'hello', 'ada', '--name', 'ada'], 'hearth: unexpected "ada"\nusage: '],
  [
    ['send', 'ftp://x', 'hello', '--name', 'ada'],
    'hearth: expected an address such as 127.0.0.1:7159, got "ftp://x"\n',
  ],
  [
    ['send', 'a b', 'hello', '--name', 'ada'],
    'hearth: expected an address such as 127.0.0.1:7159, got "a b"\n',
  ],
  [['sned', 'URL', 'hello'], 'hearth: unknown command "sned"; did you mean "send"?\n'],
])('[OP32] hearth %j is refused with exit code 2', async (words, stderr) => {
  const { exitCode, ...output } = await home.runHere(
    words.map((word) => word.replace('URL', rest)),
  );
  expect(exitCode).toBe(2);
  expect(output).toEqual({ stdout: '', stderr: expect.stringContaining(stderr) });
});

test('[OP32][OP56] an address that cannot be reached, or is not an instance, is reported in one line', async () => {
  const { gateway } = addresses;
  await using page = startDocumentedServer({
    answer: () =>
      new Response('<h1>\u001b[31mhi</h1>', { headers: { 'content-type': 'text/html' } }),
  });
  const endings = await Promise.all(
    ['http://127.0.0.1:1', gateway.replace('ws', 'http'), page.url].map((url) =>
      home.runHere(['send', url, 'hello', '--name', 'ada']),
    ),
  );
  expect(endings.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1]);
  expect(endings.map(({ stderr }) => stderr)).toEqual([
    'hearth: cannot reach the server: nothing listens there\n',
    expect.stringMatching(
      /^hearth: this is the gateway: connect with a WebSocket client; try the address of .*\n$/,
    ),
    expect.stringMatching(/^hearth: not an answer of an instance: .*; try the address of .*\n$/),
  ]);
  expect(endings.map(({ stderr }) => stderr).join('')).not.toContain('\u001b');
});

test("[OP26][OP32] an instance's error message is printed as one line and cannot control the terminal", async () => {
  await using server = startDocumentedServer({
    answer: ({ method }) =>
      method === 'POST'
        ? Response.json({ status: 403, message: 'No\u001b[2J\nno' }, { status: 403 })
        : undefined,
  });
  expect(await home.runHere(['send', server.url, 'hello', '--name', 'ada'])).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'hearth: no\ufffd[2J no\n',
  });
});

test('[OP29][OP32] `send` works and fails in the bundle as in the sources', async () => {
  const send = (url: string, text: string) =>
    home.script(['run', 'hearth', 'send', url, text, '--name', 'ada']).then(({ ended }) => ended);
  expect(await send(rest, 'hello')).toMatchObject({ exitCode: 0, stdout: '' });
  expect(await said(rest)).toEqual(['ada: hello']);
  const refused = await send(rest, '');
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain('hearth: invalid content: must be text of 1 to 2048 characters');
});

async function sendInput(input: string | Uint8Array): Promise<Ending> {
  const sending = home.here(['send', rest, '-', '--name', 'ada']);
  sending.write(input);
  sending.endInput();
  return sending.ended;
}
