import { named } from '@hearth/testing/instances/named';
import { expect, test } from 'bun:test';
import { startDocumentedServer } from '@hearth/testing/clients/documented-server';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { HEARTH } from '@hearth/testing/programs/hearth-process';
import { besideInstance } from './support/beside-instance.ts';
import type { Home } from './support/home.ts';
import { history, post, postUntil } from './support/lobby.ts';

const USAGE =
  'usage: hearth tail <instance url> [--in <community/channel>] [--last <n>] [--json] [--no-follow] [--as-guest] [--access-code <code>]\n';

let home: Home;
let rest: string;

besideInstance((ownHome, own) => {
  home = ownHome;
  ({ rest } = own);
});

test('[OP30] tail prints each new message on one line', async () => {
  await post(rest, 'before');
  await post(rest, 'here');
  const tail = home.hearth(['tail', rest, '--last', '1']);
  await tail.stdout.find(/Z bob: here$/);
  await post(rest, 'two\nlines \u001b[2J');
  await tail.stdout.find(/bob: two/);
  const [first, second] = await history(rest).then((messages) => messages.slice(1));
  expect(tail.stdout.all).toEqual([
    `${timeOf(first)} bob: here`,
    `${timeOf(second)} bob: two\\nlines \\u001b[2J`,
  ]);
});

test('[OP30] tail prints the last messages as --last says, and ends there with --no-follow', async () => {
  for (let count = 1; count <= 230; count += 1) await post(rest, `message ${count}`);
  const texts = async (...words: readonly string[]) => {
    const { exitCode, stdout, stderr } = await home.runHere([
      'tail',
      rest,
      '--no-follow',
      ...words,
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return Array.from(stdout.matchAll(/ bob: message (\d+)\n/g), ([, count]) => Number(count));
  };
  const last = (count: number) => Array.from({ length: count }, (_, at) => 231 - count + at);
  expect(await texts()).toEqual(last(50));
  expect(await texts('--last', '0')).toEqual([]);
  expect(await texts('--last', '3')).toEqual(last(3));
  expect(await texts('--last=205')).toEqual(last(205));
  expect(await texts('--last', '1000')).toEqual(last(230));
});

test('[OP30] a message that arrives during the request for the history is printed once and in order', async () => {
  const asked = Promise.withResolvers<void>();
  const history = new TransformStream<string, string>();
  await using server = startDocumentedServer({
    isExtended: true,
    answer(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname !== '/messages') return undefined;
      // The client asks for the end of the history before it connects.
      if (searchParams.get('limit') === '1') return Response.json([]);
      asked.resolve();
      return new Response(history.readable.pipeThrough(new TextEncoderStream()));
    },
  });
  const message = (id: number) => ({
    id: String(id),
    author: 'bob',
    content: `message ${id}`,
    created_at: 1_700_000_000_000 + id,
  });
  const event = (id: number) =>
    server.push(JSON.stringify({ op: 'MESSAGE_CREATE', s: id, d: message(id) }));
  const tail = home.here(['tail', server.url, '--last', '5']);
  await connected(server, 1);
  const hello = { v: 1, heartbeat_interval: 200, epoch: 'one', s: 2, recovered: null };
  server.push(JSON.stringify({ op: 'HELLO', d: hello }));
  await asked.promise;
  for (const id of [3, 4, 5]) event(id);
  // After its second PING, it has received everything before the answer to the first.
  await pinged(server, 2);
  const writer = history.writable.getWriter();
  await writer.write(JSON.stringify([4, 3, 2, 1].map(message)));
  await writer.close();
  await tail.stdout.find(/message 5$/);
  event(6);
  await tail.stdout.find(/message 6$/);
  expect(tail.stdout.all.map((line) => line.replace(/^.* bob: message /, ''))).toEqual([
    ...'123456',
  ]);
});

test('[OP30] tail --json prints the messages unchanged, one object per line', async () => {
  await post(rest, 'before \u202e\u2028\u001b\n"\\');
  const tail = home.here(['tail', rest, '--last', '1', '--json']);
  await tail.stdout.find(/before/);
  const body = JSON.stringify({ author: 'ada', content: 'now', nonce: 'mine' });
  await fetch(`${rest}/messages`, { method: 'POST', body });
  await tail.stdout.find(/now/);
  const [before, now] = await history(rest);
  expect(tail.stdout.entries).toEqual([{ ...before }, { ...now, nonce: 'mine' }]);
  for (const unsafe of ['\u202e', '\u2028', '\u001b']) {
    expect(tail.stdout.text).not.toContain(unsafe);
  }
});

test('[OP25][OP30] tail reports where messages may be missing', async () => {
  await using server = startDocumentedServer();
  const tail = home.here(['tail', server.url, '--json']);
  await connected(server, 1);
  await post(server.url, 'one');
  await tail.stdout.find(/one/);
  server.closeAll(1011, 'Server error');
  await tail.stderr.find(/^hearth: connection lost, trying again in \d+ s$/);
  await tail.stderr.find(/^hearth: reconnected: messages may be missing$/);
  await connected(server, 1);
  await post(server.url, 'two');
  await tail.stdout.find(/two/);
  expect(tail.stdout.entries).toEqual([
    { author: 'bob', content: 'one' },
    { gap: { from: expect.any(Number), until: expect.any(Number) } },
    { author: 'bob', content: 'two' },
  ]);
});

test('[OP25][OP30] tail continues after its instance was stopped and started again', async () => {
  await home.write('instance.toml', named(GENEROUS_LIMITS));
  const own = await home.startHere();
  await post(home.addresses.rest, 'one');
  const tail = home.here(['tail', home.addresses.rest, '--last', '5']);
  await tail.stdout.find(/bob: one$/);
  await own.stop();
  await tail.stderr.find(
    /^hearth: connection lost \(the server is stopping\), trying again in \d+ s$/,
  );
  await home.startHere();
  await post(home.addresses.rest, 'two');
  await tail.stderr.find(/^hearth: reconnected, nothing was missed$/);
  await post(home.addresses.rest, 'three');
  await tail.stdout.find(/bob: three$/);
  expect(tail.stdout.all.map((line) => line.replace(/^.* bob: /, ''))).toEqual([
    'one',
    'two',
    'three',
  ]);
});

test('[OP30] tail ends quietly when its output is no longer read', async () => {
  const command = ['sh', '-c', '"$@" | head -n 1', 'sh', ...HEARTH, 'tail', rest, '--last', '1'];
  await post(rest, 'one');
  const tail = home.launch({ command, folder: home.folder, env: {} });
  await tail.stdout.find(/bob: one$/);
  // It notices that when it writes again.
  await postUntil(rest, tail.ended);
  expect(await tail.ended).toMatchObject({ exitCode: 0, stderr: '' });
});

test.skipIf(process.platform !== 'linux')('[OP30] tail fails if the disk is full', async () => {
  await post(rest, 'one');
  const command = ['sh', '-c', '"$@" > /dev/full', 'sh', ...HEARTH, 'tail', rest, '--no-follow'];
  expect(await home.launch({ command, folder: home.folder, env: {} }).ended).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringMatching(/^hearth: cannot write the output: .*ENOSPC.*\n$/),
  });
});

test('[OP30] tail --last is refused on another server of the interface, which has no history', async () => {
  await using server = startDocumentedServer();
  expect(await home.runHere(['tail', server.url, '--last', '5'])).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringMatching(/^hearth: .*history.*\n$/),
  });
});

test.each(['-1', '1.5', 'ten', '1e3', '9007199254740993'])(
  '[OP32] --last=%s is refused',
  async (last) => {
    expect(await home.runHere(['tail', rest, `--last=${last}`])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `hearth: --last must be a whole number, not "${last}"\n${USAGE}`,
    });
  },
);

function timeOf(message: { readonly created_at: number } | undefined): string {
  return new Date(message?.created_at ?? 0).toISOString().replace(/\.\d+/, '');
}

/** Resolves when the server has received this many more heartbeats. */
async function pinged(server: { readonly seen: readonly string[] }, more: number): Promise<void> {
  const pings = () => server.seen.filter((what) => what === 'PING').length;
  const enough = pings() + more;
  while (pings() < enough) await new Promise((resolve) => setImmediate(resolve));
}

/** Resolves when this many clients are connected to the gateway. */
async function connected(
  server: { readonly connections: () => number },
  count: number,
): Promise<void> {
  while (server.connections() < count) await new Promise((resolve) => setImmediate(resolve));
}
