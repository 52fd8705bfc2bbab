import { named } from '@hearth/testing/instances/named';
import { startDocumentedServer } from '@hearth/testing/clients/documented-server';
import { expect, test } from 'bun:test';
import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { HEARTH, type HearthProcess } from '@hearth/testing/programs/hearth-process';
import { besideInstance } from './support/beside-instance.ts';
import type { CommandHere } from './support/command-here.ts';
import type { Home } from './support/home.ts';
import { post, postUntil, said } from './support/lobby.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /gm;

let home: Home;
let rest: string;

besideInstance((ownHome, own) => {
  home = ownHome;
  ({ rest } = own);
});

test('[OP27] each line of a pipe is sent as a message, and the chat ends when all of them are sent', async () => {
  const chat = piped(rest);
  chat.write('one\n\n  \r\ntwo \\ three\r\n日本');
  chat.write('語');
  chat.endInput();
  const { exitCode, stdout, stderr } = await chat.ended;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const expected = ['ada: one', 'ada: two \\ three', 'ada: 日本語'];
  expect(await said(rest)).toEqual(expected);
  expect(stdout.replaceAll(TIME, '').split('\n')).toEqual([...expected, '']);
});

test('[OP26][OP27] each message is printed on one line, whatever it contains', async () => {
  const chat = pipedHere(rest);
  chat.write('here\n');
  await chat.stdout.find(/ada: here$/);
  await post(rest, 'two\r\nlines\twith \u001b[31mcolour\u2028and \u202eturned', 'm\nallory');
  await chat.stdout.find(
    /Z m\\nallory: two\\r\\nlines\\twith \\u001b\[31mcolour\\u2028and \\u202eturned$/,
  );
  expect(chat.stdout.all).toHaveLength(2);
  chat.endInput();
  expect((await chat.ended).exitCode).toBe(0);
});

test('[OP27] an empty input sends nothing', async () => {
  const chat = pipedHere(rest);
  chat.endInput();
  expect(await chat.ended).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});

test('[OP27] lines over the rate limit wait and keep their order', async () => {
  await using slow = await startTestInstance({
    toml: GENEROUS_LIMITS.replace(
      /message_create.*/,
      'message_create = { reset_after = 1, limit = 3 }',
    ),
  });
  const chat = pipedHere(slow.addresses.rest);
  const lines = Array.from({ length: 7 }, (_, at) => `line ${at}`);
  chat.write(lines.join('\n'));
  chat.endInput();
  expect(await chat.ended).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await said(slow.addresses.rest)).toEqual(lines.map((line) => `ada: ${line}`));
});

test('[OP28] a line that cannot be sent is reported, the next lines are sent, and the chat fails', async () => {
  const chat = pipedHere(rest);
  chat.write(`one\n${'x'.repeat(2049)}\ntwo\n`);
  chat.endInput();
  const { exitCode, stderr } = await chat.ended;
  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    `hearth: not sent (invalid content: must be text of 1 to 2048 characters): ${'x'.repeat(2049)}\n`,
  );
  expect(await said(rest)).toEqual(['ada: one', 'ada: two']);
});

test('[OP28] a line that is far too long is reported with its beginning, and nothing of it is sent', async () => {
  const chat = piped(rest);
  chat.write('x'.repeat(5_000));
  await chat.stderr.find(/not sent/);
  chat.write('its rest\ntwo');
  chat.endInput();
  const { exitCode, stderr } = await chat.ended;
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^hearth: not sent \(invalid content: .*\): x{4097,5000}\n$/);
  expect(await said(rest)).toEqual(['ada: two']);
});

test('[OP28] a message that is cancelled during its request is reported as possibly sent', async () => {
  const { promise: posted, resolve } = Promise.withResolvers<void>();
  await using server = startDocumentedServer({
    answer(request) {
      if (request.method !== 'POST') return undefined;
      resolve();
      return new Response(new ReadableStream());
    },
  });
  const chat = piped(server.url);
  chat.write('one\ntwo\n');
  await posted;
  chat.signal('SIGINT');
  const { exitCode, stderr } = await chat.ended;
  expect(exitCode).toBe(1);
  expect(stderr).toBe('hearth: may not have been sent (cancelled): one\n');
});

test('[OP28] a message that came back counts as sent, even without an answer', async () => {
  const { promise: posted, resolve } = Promise.withResolvers<void>();
  await using server = startDocumentedServer({
    answer(request) {
      if (request.method !== 'POST') return undefined;
      resolve();
      return new Response(new ReadableStream());
    },
  });
  const chat = pipedHere(server.url);
  chat.write('one\n');
  await posted;
  server.push('{"op":"MESSAGE_CREATE","d":{"author":"ada","content":"one"}}');
  await chat.stdout.find(/ada: one$/);
  chat.signal('SIGINT');
  const { exitCode, stderr } = await chat.ended;
  expect([exitCode, stderr]).toEqual([0, '']);
});

test('[OP27] SIGINT ends a chat cleanly', async () => {
  const chat = piped(rest);
  chat.write('here\n');
  await chat.stdout.find(/ada: here$/);
  chat.signal('SIGINT');
  expect((await chat.ended).exitCode).toBe(0);
});

test('[OP25] a chat in a pipe prints on standard error when the connection is lost and when it is back', async () => {
  await home.write('instance.toml', named(GENEROUS_LIMITS));
  const own = await home.startHere();
  const chat = pipedHere(home.addresses.rest);
  chat.write('one\n');
  await chat.stdout.find(/ada: one$/);
  await own.stop();
  await chat.stderr.find(
    /^hearth: connection lost \(the server is stopping\), trying again in \d+ s$/,
  );
  await home.startHere();
  await chat.stderr.find(/^hearth: reconnected, nothing was missed$/);
  chat.write('two\n');
  chat.endInput();
  expect((await chat.ended).exitCode).toBe(0);
  expect(await said(home.addresses.rest)).toEqual(['ada: one', 'ada: two']);
});

test('[OP27] without a terminal, a chat needs --name', async () => {
  expect(await home.runHere(['chat', rest])).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'hearth: missing --name <name>\nusage: hearth chat <instance url> [<community/channel>] [--name <name>] [--as-guest] [--access-code <code>]\n',
  });
});

test('[OP27] a chat ends when its output is no longer read', async () => {
  const command = ['sh', '-c', '"$@" | head -n 1', 'sh', ...HEARTH, 'chat', rest, '--name', 'ada'];
  const chat = home.launch({ command, folder: home.folder, env: {}, hasInput: true });
  chat.write('one\n');
  await chat.stdout.find(/ada: one$/);
  // The reader ends after one line. The chat notices that when it writes again.
  await postUntil(rest, chat.ended);
  expect(await chat.ended).toMatchObject({ exitCode: 0, stderr: '' });
});

/** Runs `hearth chat` for ada on the instance at `url`, in pipes. */
function piped(url: string): HearthProcess {
  const command = [...HEARTH, 'chat', url, '--name', 'ada'];
  return home.launch({ command, folder: home.folder, env: {}, hasInput: true });
}

/** Starts the chat in this process. */
function pipedHere(url: string): CommandHere {
  return home.here(['chat', url, '--name', 'ada']);
}
