import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { run } from './run.ts';

let folder: string;
let data: Awaited<ReturnType<typeof startTestInstance>>;

beforeAll(async () => {
  data = await startTestInstance();
  await data.stop();
  ({ folder } = data);
});

afterAll(() => data[Symbol.asyncDispose]());

/** Runs the command line on the data of a stopped instance, in this process. */
function hearth(...words: readonly string[]) {
  return hearthIn(folder, words);
}

async function hearthIn(workingDir: string, words: readonly string[]) {
  const written = { stdout: '', stderr: '' };
  const code = await run(words, {
    env: { LOG_LEVEL: 'silent' },
    workingDir,
    print: (text) => (written.stdout += text),
    warn: (text) => (written.stderr += text),
    streams: process,
    listenForStop: () => AbortSignal.abort(),
  });
  return { code, ...written };
}

/** Returns what a command prints with --json. */
async function json(...words: readonly string[]): Promise<unknown> {
  const { code, stdout } = await hearth(...words, '--json');
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

test('[MO11] pause, resume and slow-mode print one line, or with --json everything that is restricted', async () => {
  const lines = async (...words: readonly string[]) => (await hearth(...words)).stdout;
  expect(await lines('pause')).toBe('Paused posting and uploads\n');
  expect(await lines('pause', 'uploads', '--reason', 'disk\nfull')).toBe(
    'Paused uploads (disk full)\n',
  );
  expect(await lines('pause', 'posting', '--for', '1h')).toMatch(/^Paused posting until .* UTC\n$/);
  expect(await json('slow-mode', '30')).toEqual({
    paused: { posting: { until: expect.any(Number) }, uploads: { reason: 'disk\nfull' } },
    slow_mode_seconds: 30,
    needs_access_code: false,
  });
  expect(await lines('slow-mode', '5')).toBe('Every client may post once in 5 s\n');
  expect(await lines('slow-mode', 'off')).toBe('Slow mode is off\n');
  expect(await lines('resume', 'posting')).toBe('Resumed posting\n');
  expect(await json('resume')).toEqual({
    paused: {},
    slow_mode_seconds: 0,
    needs_access_code: false,
  });
});

test('[MO12] bans are listed, the oldest first, and lifted by their id or address', async () => {
  expect((await hearth('bans')).stdout).toBe('Nobody is banned.\n');
  const first = await hearth('ban', '192.0.2.7');
  expect(first.stdout).toMatch(/^Banned 192\.0\.2\.7: hearth unban [a-z2-9]{8} lifts it\n$/);
  const second = await json('ban', '2001:db8::1', '--for', '7d', '--reason', 'spam\u0007');
  expect(second).toEqual({
    id: expect.any(String),
    clients: '2001:db8:0:0::/64',
    created_at: expect.any(Number),
    until: expect.any(Number),
    reason: 'spam\u0007',
  });
  expect(await json('bans')).toMatchObject([{ clients: '192.0.2.7' }, { reason: 'spam\u0007' }]);
  const [titles = '', one = '', two = ''] = (await hearth('bans')).stdout.split('\n');
  expect(titles).toMatch(/^ID {8}CLIENTS {12}BANNED {19}UNTIL {20}REASON$/);
  expect(one).toMatch(/^[a-z2-9]{8} {2}192\.0\.2\.7 .* UTC {2}unbanned$/);
  expect(two).toEndWith(' UTC  spam�');

  // The same clients have one ban.
  await hearth('ban', '192.0.2.7', '--reason', 'again');
  expect(await json('bans')).toMatchObject([{ reason: 'spam\u0007' }, { reason: 'again' }]);
  expect((await hearth('unban', '192.0.2.7/32')).stdout).toBe('Unbanned 192.0.2.7\n');
  expect(await json('unban', '2001:db8::ffff')).toEqual({ clients: '2001:db8:0:0::/64' });
  expect(await hearth('unban', '192.0.2.7')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'hearth: there is no ban of 192.0.2.7: see hearth bans\n',
  });
});

test('[MO25] storage prints what the attachments take, and with --json what they may take', async () => {
  expect((await hearth('storage')).stdout).toBe('0 attachments take 0 bytes\n');
  expect(await json('storage')).toEqual({ uploads: 0, bytes: 0, total_size: null });
});

test('[MO25, OP14] storage counts a single attachment as one, and attachments remove --json prints its id', async () => {
  await using instance = await startTestInstance();
  const body = new FormData();
  body.append('file', new File(['hello'], 'a.txt'));
  const url = `${instance.addresses.files}/attachments`;
  const uploaded: unknown = await (await fetch(url, { method: 'POST', body })).json();
  const { id } = Object(uploaded) as { readonly id: string };
  const stdoutOf = async (...words: readonly string[]) =>
    (await hearthIn(instance.folder, words)).stdout;
  expect(await stdoutOf('storage')).toBe('1 attachment takes 5 bytes\n');
  expect(JSON.parse(await stdoutOf('attachments', 'remove', id, '--json'))).toEqual({ id });
  expect(await stdoutOf('storage')).toBe('0 attachments take 0 bytes\n');
});

test('[MO9, MO12] a ban of the author of a message needs the running instance that took the message', async () => {
  const { code, stderr } = await hearth('ban', '12345');
  expect([code, stderr]).toEqual([
    1,
    'hearth: the address of message 12345 is not known: it was posted more than an hour ago, or its process was stopped\n',
  ]);
});

test.each([
  [['pause', 'reading'], 'expected posting or uploads, not "reading"'],
  [['pause', '--for', '1'], '--for must be a duration such as 30m, 1h or 7d, not "1"'],
  [['pause', '--for', '0d'], '--for must be a duration such as 30m, 1h or 7d, not "0d"'],
  [
    ['ban', '192.0.2.7', '--for=522w'],
    '--for must be a duration such as 30m, 1h or 7d, not "522w"',
  ],
  [['pause', '--reason', 'x'.repeat(513)], '--reason must be at most 512 characters long'],
  [['slow-mode', '0'], 'expected 1 to 21600 seconds, or off, not "0"'],
  [['slow-mode', '1.5'], 'expected 1 to 21600 seconds, or off, not "1.5"'],
])('[MO13] hearth %j is refused with a line and its usage', async (words, line) => {
  const { code, stdout, stderr } = await hearth(...words);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toStartWith(`hearth: ${line}\nusage: hearth ${words[0]} `);
});

test.each(['ada', '10.0.0.0/7', '192.0.2.0/33'])('[MO13] %p cannot be banned', async (given) => {
  const { code, stderr } = await hearth('ban', given);
  expect([code, stderr]).toEqual([
    1,
    `hearth: expected an address, a range no larger than /8 (IPv4) or /16 (IPv6), or a message id, got "${given}"\n`,
  ]);
});
