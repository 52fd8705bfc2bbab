import { named } from '@hearth/testing/instances/named';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { RawSocket } from '@hearth/testing/clients/raw-socket';
import { readError } from '@hearth/testing/clients/read-error';
import type { HearthProcess } from '@hearth/testing/programs/hearth-process';
import { Home } from './support/home.ts';
import { uploadRequest } from './support/talk.ts';

const INFO = 30;
const ERROR = 50;
const SECRET = 'psst-nobody-may-read-this';
const CLIENTS = ['203.0.113.77', '2001:db8:77:77::1'];
/** Refusals are counted for at most this long before their lines are written. */
const PERIOD_MS = 10_000;

let home: Home;

beforeEach(async () => {
  home = await Home.make();
});

afterEach(() => home[Symbol.asyncDispose]());

test('[OP16] start and stop log one line each, in JSON if stderr is not a terminal', async () => {
  const instance = await home.start();
  const { stdout } = await instance.stop();
  expect(instance.stderr.entries).toHaveLength(instance.stderr.all.length);
  expect(instance.stderr.entries).toEqual([
    expect.objectContaining({ level: INFO, msg: 'instance started', version: '0.1.0' }),
    expect.objectContaining({ level: INFO, msg: 'instance stopping' }),
    expect.objectContaining({ level: INFO, msg: 'instance stopped' }),
  ]);
  for (const { time } of instance.stderr.entries) {
    expect(Number(time)).toBeWithin(Date.now() - 60_000, Date.now() + 1);
  }
  expect(stdout).not.toContain('instance started');
});

test('[OP16] on a terminal, the log is readable text', async () => {
  // Without an instance file, a start on a terminal asks a question first.
  await home.write('instance.toml', named(''));
  const instance = home.hearth(['start'], {}, 'terminal');
  const line = await instance.stdout.find(/instance started/);
  expect(line).toContain('INFO');
  expect(line).not.toContain('{');
  await instance.started();
  instance.type('\u0003');
  const { exitCode, stdout } = await instance.ended;
  expect(exitCode).toBe(0);
  expect(stdout).toContain('instance stopped');
  expect(stdout).not.toContain('"level"');
});

test("[OP16] clients' mistakes are logged at info, one line for each kind, however often they happen", async () => {
  await home.write(
    'instance.toml',
    named('oprish.rate_limits.message_create = { reset_after = 600, limit = 20 }'),
  );
  const { rest, gateway } = home.addresses;
  const instance = await home.start();
  const startedAtMs = performance.now();
  for (let round = 0; round < 30; round += 1) {
    expect((await fetch(`${rest}/nothing-here`)).status).toBe(404);
    const status = round < 20 ? 422 : 429;
    expect((await fetch(`${rest}/messages`, { method: 'POST', body: '[]' })).status).toBe(status);
  }
  using socket = await RawSocket.connect(gateway);
  for (let payload = 0; payload < 6; payload += 1) socket.sendText('{"op":"PING"}');
  await socket.ended;
  await instance.stop();
  const periods = 1 + Math.ceil((performance.now() - startedAtMs) / PERIOD_MS);
  const refusals = instance.stderr.entries.filter(({ refusal }) => refusal !== undefined);
  for (const { level } of refusals) expect(level).toBe(INFO);
  for (const [kind, count] of [
    ['NotFoundError', 30],
    ['ValidationError', 20],
    ['RateLimitedError', 10],
    ['Client hit rate limit', 1],
  ]) {
    const lines = refusals.filter(({ refusal }) => refusal === kind);
    expect(lines.length).toBeWithin(1, periods + 1);
    expect(lines.reduce((sum, line) => sum + Number(line['count']), 0)).toBe(Number(count));
  }
});

test('[OP16] a fault of the instance is logged once, at error, and the client learns only that there was one', async () => {
  const instance = await home.start();
  await rm(home.path('data/blobs'), { recursive: true });
  const answer = await fetch(uploadRequest(home.addresses.files, SECRET));
  const { status, message } = await readError(answer);
  expect(status).toBe(500);
  expect(message).not.toContain(home.folder);
  await instance.stop();
  const faults = instance.stderr.entries.filter(({ level }) => Number(level) > INFO);
  expect(faults).toHaveLength(1);
  expect(faults).toMatchObject([
    { level: ERROR, err: { message: expect.stringContaining('ENOENT') } },
  ]);
});

test('[OP17] no line contains the address of a client unless the level is debug or below', async () => {
  const env = { TRUSTED_PROXIES: '127.0.0.1' };
  for (const [level, isLogged] of [
    ['info', false],
    ['debug', true],
    ['trace', true],
  ] as const) {
    const instance = await home.start({ ...env, LOG_LEVEL: level });
    await misbehave(instance);
    expect(instance.stderr.text).toContain('NotFoundError');
    expect(instance.stderr.text.includes('203.0.113.77')).toBe(isLogged);
    expect(instance.stderr.text.includes('2001:db8')).toBe(isLogged);
  }
});

test('[OP17] without a proxy, no line but that of the start contains the address of a client', async () => {
  const instance = await home.start();
  await misbehave(instance);
  const lines = instance.stderr.all.filter((line) => !line.includes('instance started'));
  expect(lines.join('\n')).toContain('NotFoundError');
  expect(lines.join('\n')).not.toContain('127.0.0.1');
});

test.each(['info', 'debug', 'trace'])(
  '[OP17] no line contains the content of a message at LOG_LEVEL=%s, sent or refused',
  async (level) => {
    const instance = await home.start({ LOG_LEVEL: level });
    await misbehave(instance);
    expect(instance.stderr.text).toContain('ValidationError');
    expect(instance.stderr.text).not.toContain(SECRET);
    expect(instance.stdout.text).not.toContain(SECRET);
  },
);

/** Sends valid and invalid requests from each client address, and stops the instance. */
async function misbehave(instance: HearthProcess): Promise<void> {
  const { rest, gateway, files } = home.addresses;
  const good = JSON.stringify({ author: SECRET, content: SECRET });
  const bodies = [good, good.slice(1), SECRET, JSON.stringify({ author: '', content: SECRET })];
  for (const client of CLIENTS) {
    const headers = { 'X-Real-IP': client };
    using listener = await RawSocket.connect(gateway, { headers: [`X-Real-IP: ${client}`] });
    for (const body of bodies) await fetch(`${rest}/messages`, { method: 'POST', body, headers });
    await listener.until(() => listener.texts.length === 1);
    await fetch(`${rest}/nothing-here`, { headers });
    await fetch(`${files}/attachments/1`, { headers });
    await fetch(new Request(uploadRequest(files, SECRET), { headers }));
    for (let payload = 0; payload < 6; payload += 1) listener.sendText(`{"op":"${SECRET}"}`);
    await listener.ended;
  }
  await rm(home.path('data/blobs/incoming'), { recursive: true });
  for (const client of CLIENTS) {
    const request = new Request(uploadRequest(files, SECRET));
    request.headers.set('X-Real-IP', client);
    expect((await fetch(request)).status).toBe(500);
  }
  await instance.stop();
}
