import { named } from '@hearth/testing/instances/named';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { RawConnection, requestLines } from '@hearth/testing/clients/raw-http';
import { RawSocket } from '@hearth/testing/clients/raw-socket';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { whenMade } from './support/file-watch.ts';
import type { HearthProcess } from '@hearth/testing/programs/hearth-process';
import { HeldRequest } from './support/held-request.ts';
import { Home } from './support/home.ts';
import { get, isRefused, messageRequest, readFileData, uploadRequest } from './support/talk.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const SERVER_ERROR = { code: 1011, reason: 'Server error' };

let home: Home;

beforeEach(async () => {
  home = await Home.make();
  await home.write('instance.toml', named(GENEROUS_LIMITS));
});

afterEach(() => home[Symbol.asyncDispose]());

test.each(SIGNALS)(
  '[OP7] %s stops the instance with exit code 0 and closes its sockets with 1011 "Server error"',
  async (signal) => {
    const instance = await home.start();
    const clients = await Promise.all([connected(), connected(), connected()]);
    instance.signal(signal);
    for (const client of clients) expect(await client.closed).toEqual(SERVER_ERROR);
    const { exitCode, stdout } = await instance.ended;
    expect(exitCode).toBe(0);
    expect(stdout).toEndWith('Stopping…\n');
  },
);

test.each(SIGNALS)(
  '[OP7] an upload that is running during a %s is finished and kept',
  async (signal) => {
    const { files } = home.addresses;
    const content = 'slow and steady '.repeat(10_000);
    const instance = await home.start();
    using held = await holdUpload(content);
    const client = await connected();
    instance.signal(signal);
    expect(await client.closed).toEqual(SERVER_ERROR);
    const { id } = await readFileData(await held.finish());
    expect((await instance.ended).exitCode).toBe(0);

    await home.start();
    expect(await get(`${files}/attachments/${id}`)).toEqual({ status: 200, text: content });
  },
);

test('[OP7] a message whose body arrives after the signal is answered, and reaches the sockets before they close', async () => {
  const instance = await home.start();
  const client = await connected();
  using held = await holdMessage('famous last words');
  instance.signal('SIGTERM');
  await instance.stdout.find(/Stopping/);
  const answer = await held.finish();
  expect(answer.status).toBe(200);
  const message = { author: 'ada', content: 'famous last words' };
  expect(await answer.json()).toEqual(message);
  expect(await client.closed).toEqual(SERVER_ERROR);
  expect(client.received).toEqual([
    '{"op":"PONG"}',
    JSON.stringify({ op: 'MESSAGE_CREATE', d: message }),
  ]);
  expect((await instance.ended).exitCode).toBe(0);
});

test('[OP7] new connections are refused while a running request is finished', async () => {
  const instance = await home.start();
  using held = await holdUpload('the last one');
  const client = await connected();
  instance.signal('SIGTERM');
  await client.closed;
  for (const url of Object.values(home.addresses)) expect(await isRefused(url)).toBe(true);
  expect((await held.finish()).status).toBe(200);
  expect((await instance.ended).exitCode).toBe(0);
});

/** A stop waits 3 s for running requests, and any may take long on a busy machine. */
const WAITED_MS = 2_900;
const TRIES = 3;

test('[OP7] idle connections do not delay the stop', async () => {
  let leastMs = Infinity;
  for (let tries = 0; leastMs >= WAITED_MS && tries < TRIES; tries += 1) {
    leastMs = Math.min(leastMs, await stopWithIdleConnections());
  }
  expect(leastMs).toBeLessThan(WAITED_MS);
});

/** Returns how long the stop takes, in milliseconds. */
async function stopWithIdleConnections(): Promise<number> {
  const instance = await home.start();
  const { rest, files } = home.addresses;
  using idle = await RawConnection.connect(rest);
  await idle.send(requestLines('GET', '/'));
  await idle.answer();
  using _silent = await RawConnection.connect(files);
  const client = await connected();
  const stoppedAtMs = performance.now();
  instance.signal('SIGTERM');
  expect(await client.closed).toEqual(SERVER_ERROR);
  expect((await instance.ended).exitCode).toBe(0);
  const tookMs = performance.now() - stoppedAtMs;
  expect(await idle.rest()).toBe('');
  return tookMs;
}

test('[OP7] requests that never end and clients that never read delay the stop by less than 10 s', async () => {
  const instance = await home.start();
  using upload = await holdUpload('never finished');
  using message = await holdMessage('never finished');
  using unfinished = await RawConnection.connect(home.addresses.rest);
  await unfinished.send('POST /messages HTTP/1.1\r\nHost: hea');
  using deaf = await RawSocket.connect(home.addresses.gateway);
  deaf.stopReading();
  instance.signal('SIGTERM');
  // A stop that takes 10 s would exit with code 1.
  expect((await instance.ended).exitCode).toBe(0);
  await Promise.all([upload.cut(), message.cut()]);
});

test('[OP7] a signal during the start ends it with exit code 0 and without a banner', async () => {
  const running = await home.start();
  await using other = await Home.make();
  const starting = other.hearth(['start'], { DATA_DIR: home.path('data') });
  // From here on it waits for the other instance to end.
  await whenMade(other.path('instance.toml'));
  starting.signal('SIGTERM');
  await running.stop();
  const { exitCode, stdout } = await starting.ended;
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'Stopping…\n' });
});

test('[OP8] several signals in a row count as one', async () => {
  const instance = await home.start();
  using held = await holdUpload('in spite of it all');
  for (const signal of [...SIGNALS, ...SIGNALS]) instance.signal(signal);
  await instance.stdout.find(/Stopping/);
  for (const signal of SIGNALS) instance.signal(signal);
  expect((await held.finish()).status).toBe(200);
  const { exitCode, stdout } = await instance.ended;
  expect(exitCode).toBe(0);
  expect(stdout.split('Stopping')).toHaveLength(2);
});

test.each(SIGNALS)(
  '[OP8] another %s stops at once if it comes 1 s or more after the first, and is ignored before',
  async (signal) => {
    const instance = await home.start();
    using held = await holdUpload('given up');
    const firstAtMs = performance.now();
    await signalUntilEnd(instance, signal);
    const tookMs = performance.now() - firstAtMs;
    expect((await instance.ended).exitCode).toBe(1);
    expect(tookMs).toBeGreaterThan(990);
    await held.cut();
  },
);

test('[OP5, OP8] the next start works after a stop at once', async () => {
  const instance = await home.start();
  using _held = await holdUpload('given up');
  await signalUntilEnd(instance, 'SIGTERM');
  const next = await home.start();
  expect(JSON.parse((await home.run(['attachments', 'list', '--json'])).stdout)).toEqual([]);
  expect((await next.stop()).exitCode).toBe(0);
});

/** Sends a signal repeatedly until the process has ended. */
async function signalUntilEnd(instance: HearthProcess, signal: NodeJS.Signals): Promise<void> {
  const timer = setInterval(() => instance.signal(signal), 50);
  instance.signal(signal);
  await instance.ended;
  clearInterval(timer);
}

/** A client of the gateway that the instance has answered. */
async function connected(): Promise<GatewayClient> {
  const client = await GatewayClient.connect(home.addresses.gateway);
  await client.ping();
  return client;
}

function holdUpload(content: string): Promise<HeldRequest> {
  const { files } = home.addresses;
  return HeldRequest.begin(`${files}/attachments`, uploadRequest(files, content));
}

function holdMessage(content: string): Promise<HeldRequest> {
  const { rest } = home.addresses;
  return HeldRequest.begin(`${rest}/messages`, messageRequest(rest, content));
}
