import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { getEventListeners } from 'node:events';
import { join } from 'node:path';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { connect, createClient, type Client } from '../src/index.ts';
import { startCutter } from './support/cutter.ts';
import { manualClock } from '@hearth/testing/manual-clock';
import { witnessOf } from '@hearth/testing/clients/witness';

let instance: TestInstance;

beforeAll(async () => {
  instance = await startTestInstance();
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
});

test('a program whose client is closed ends by itself, and listeners that throw affect nothing else', async () => {
  const program = join(import.meta.dir, 'support', 'whole-life.ts');
  // With the usual limits, so that some requests have to wait.
  await using usual = await startTestInstance({ toml: '' });
  const child = Bun.spawn([process.execPath, program, usual.addresses.rest], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = (await new Response(child.stdout).text()).trim().split('\n');
  expect(lines.toSorted()).toEqual([
    'closed: {"done":true}',
    'heard: ada',
    'message: ada',
    'uncaught: Error: in a listener',
    'uncaught: Error: in the progress',
  ]);
  expect(await child.exited).toBe(0);
});

test('a client that is closed has no timer left', async () => {
  const clock = manualClock();
  const client = await connect(instance.addresses.rest, { clock });
  await client.open();
  const { id } = await client.files.upload(new Blob(['x'.repeat(5_000_000)]));
  const { body } = await client.files.fetch(id);
  const reading = body.getReader();
  await reading.read();
  await client.send({ author: 'ada', content: 'x' });
  const closed = client.close();
  await clock.advance(2_000);
  await closed;
  expect(clock.timers).toBe(0);
});

describe('every request ends with its signal, and with the reason that it has', () => {
  const requests: readonly (readonly [string, (c: Client, signal: AbortSignal) => unknown])[] = [
    ['info', ({ rest }, signal) => rest.info({ signal })],
    ['rateLimits', ({ rest }, signal) => rest.rateLimits({ signal })],
    ['send', (c, signal) => c.send({ author: 'ada', content: 'x' }, { signal })],
    ['listMessages', ({ rest }, signal) => rest.listMessages({}, { signal })],
    ['upload', ({ files }, signal) => files.upload(new Blob(['x']), { signal })],
    ['data', ({ files }, signal) => files.data('1', { signal })],
    ['fetch', ({ files }, signal) => files.fetch('1', { signal })],
    ['fetchStatic', ({ files }, signal) => files.fetchStatic('a', { signal })],
    ['open', (c, signal) => c.open({ signal })],
    ['connect', ({ info }, signal) => connect(info.oprish_url, { signal })],
  ];

  test.each(requests)('%s', async (_name, request) => {
    await using cutter = await startCutter(instance.addresses.rest);
    cutter.freeze();
    await using plain = await connect(instance.addresses.rest);
    const info = {
      ...plain.info,
      oprish_url: cutter.url,
      effis_url: cutter.url,
      pandemonium_url: cutter.url.replace('http', 'ws'),
    };
    await using client = createClient(info);
    const reason = new Error('enough');
    const before = request(client, AbortSignal.abort(reason));
    expect(await Promise.resolve(before).catch((error: unknown) => error)).toBe(reason);
    const abort = new AbortController();
    const { connections } = cutter;
    const asked = Promise.resolve(request(client, abort.signal)).catch((error: unknown) => error);
    while (cutter.connections === connections) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    abort.abort(reason);
    expect(await asked).toBe(reason);
  });
});

test('opening also ends with its signal if a listener aborts it at the first state change', async () => {
  const clock = manualClock();
  await using client = await connect(instance.addresses.rest, { clock });
  const abort = new AbortController();
  const reason = new Error('enough');
  const states: string[] = [];
  client.on('connection', ({ state }) => {
    states.push(state);
    abort.abort(reason);
  });
  expect(await client.open({ signal: abort.signal }).catch((error: unknown) => error)).toBe(reason);
  expect(states).toEqual(['connecting', 'idle']);
  await clock.advance(0);
  expect(clock.timers).toBe(0);
});

test('a reader ends when its signal aborts, and others read on', async () => {
  await using client = await connect(instance.addresses.rest);
  const abort = new AbortController();
  const ending = client.messages({ signal: abort.signal });
  const staying = client.messages();
  await client.open();
  const next = ending.next();
  const left = client.messages({ signal: abort.signal });
  expect(getEventListeners(abort.signal, 'abort')).toHaveLength(2);
  await left.return?.();
  expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
  abort.abort();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(await client.messages({ signal: abort.signal }).next()).toEqual({
    done: true,
    value: undefined,
  });
  await client.send({ author: 'ada', content: 'hi' });
  for await (const { content } of staying) {
    expect(content).toBe('hi');
    break;
  }
  expect(await staying.next()).toEqual({ done: true, value: undefined });
  expect(client.connection.state).toBe('open');
});

describe('the limits of an instance', () => {
  const toml = `
[oprish.rate_limits]
message_create = { reset_after = 4, limit = 4 }
[effis.rate_limits]
attachments = { reset_after = 1, limit = 3, file_size_limit = 2500 }
fetch_file = { reset_after = 1, limit = 2 }
`;

  test('limits are obeyed by each client, and waited out if another client used them up', async () => {
    await using own = await startTestInstance({ toml });
    let refusals = 0;
    const fetch = async (url: string, init?: RequestInit) => {
      const answer = await globalThis.fetch(url, init);
      if (answer.status === 429) refusals += 1;
      return answer;
    };
    await using one = await connect(own.addresses.rest, { fetch });
    const witness = witnessOf(one);
    await one.open();
    const contents = Array.from({ length: 8 }, (_, index) => `one ${index}`);
    await Promise.all(contents.map((content) => one.send({ author: 'ada', content })));
    await witness.until(() => witness.contents.length === 8);
    expect(witness.contents).toEqual(contents);
    expect(refusals).toBe(0);
    expect(one.limits.state('message_create')).toMatchObject({ limit: 4, waiting: 0 });

    await using two = await connect(own.addresses.rest, { fetch });
    const more = Array.from({ length: 3 }, (_, index) => `two ${index}`);
    await Promise.all(more.map((content) => two.send({ author: 'ada', content })));
    expect(refusals).toBe(1);
    await witness.until(() => witness.contents.length === 11);
    expect(witness.contents.slice(8)).toEqual(more);
  });

  test('limits are obeyed for uploads, by number and by bytes, and for downloads', async () => {
    await using own = await startTestInstance({ toml });
    await using client = await connect(own.addresses.rest);
    const states: number[] = [];
    client.on('limit', ({ bucket, state }) => {
      if (bucket === 'attachments') states.push(state.sentBytes);
    });
    const sizes = [1_000, 1_500, 500, 2_500];
    const uploads = sizes.map((size) => client.files.upload(new Blob(['x'.repeat(size)])));
    const ids = (await Promise.all(uploads)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(sizes.length);
    expect(Math.max(...states)).toBeLessThanOrEqual(2_500);
    const downloads = ids.slice(0, 3).map(async (id) => (await client.files.fetch(id)).blob());
    const blobs = await Promise.all(downloads);
    expect(blobs.map(({ size }) => size)).toEqual(sizes.slice(0, 3));
  });
});
