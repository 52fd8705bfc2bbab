import { describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { descriptorShares } from '../src/runtime/descriptor-limit.ts';
import { fakeClock } from '@hearth/testing/fake-clock';
import { startLimitedInstance } from '@hearth/testing/instances/limited-instance';
import { postMessage } from '@hearth/testing/clients/post-message';
import { ProfileClient, resumeQuery } from '@hearth/testing/clients/profile-client';
import { handshake, RawSocket } from '@hearth/testing/clients/raw-socket';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { OPCODES } from '@hearth/testing/clients/web-socket-frames';

const PING = '{"op":"PING"}';
const RATE_LIMITED = { code: 1011, reason: 'Client hit rate limit' };
const SERVER_ERROR = { code: 1011, reason: 'Server error' };
const DEAD = { code: 1011, reason: 'Client connection dead' };
const LARGEST = 64 * 1024;
/** About 15 MB in all, far more than the system buffers for one socket. */
const MESSAGE_BYTES = 60_000;
const MESSAGES = 250;

const limited = (limit: number) =>
  `[pandemonium]\nrate_limit = { reset_after = 10, limit = ${limit} }`;

/** The instance file of an instance that accepts large messages. */
const flooded = (pandemonium: string) =>
  `[oprish]\nmessage_limit = ${MESSAGE_BYTES}\n${GENEROUS_LIMITS}`
    .replace('limit = 100000 }\n[effis', 'limit = 10000000 }\n[effis')
    .replace('[pandemonium]', `[pandemonium]\n${pandemonium}`);

const content = (index: number) => `${index} `.padEnd(MESSAGE_BYTES, 'x');

async function postFlood(instance: TestInstance, from = 0, count = MESSAGES): Promise<void> {
  for (let index = from; index < from + count; index += 1)
    await postMessage(instance, content(index));
}

/** Connects a client that sends its handshake without the last line. `answer` resolves when the connection has ended. */
async function beginHandshake(host: string, port: number) {
  const socket = connect({ host, port });
  socket.write(handshake({ target: '/?v=1' }).slice(0, -2));
  const answer = new Promise<string>((resolve) => {
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(received));
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  return { socket, answer };
}

/** Proves that DISCONNECT was the last payload that a client received, once, and that the close frame followed. */
async function expectEnd(
  client: ProfileClient,
  reason: string,
  closed: { readonly code: number; readonly reason: string },
): Promise<void> {
  await client.raw.ended;
  const lastFrames = client.raw.frames.slice(-2).map(({ opcode }) => opcode);
  expect(lastFrames).toEqual([OPCODES.text, OPCODES.close]);
  expect(client.ops.filter((op) => op === 'DISCONNECT')).toHaveLength(1);
  expect(client.goodbye).toEqual({ reason, reconnect: true, retry_after: expect.any(Number) });
  expect(client.raw.closed).toEqual(closed);
}

function expectUnbroken({ events, hello }: ProfileClient): void {
  expect(events.map(({ s }) => s)).toEqual(events.map((_, index) => hello.s + 1 + index));
  expect(events.map(({ d }) => d.content)).toEqual(events.map(({ s }) => content(s - 1)));
}

describe('a client beyond its limit', () => {
  test('[LB22][GW13] a client is disconnected with the time until the window of its payloads ends', async () => {
    const clock = fakeClock();
    await using instance = await startTestInstance({ toml: limited(3), clock });
    using client = await ProfileClient.greeted(instance);
    clock.advance(3_000);
    for (let count = 0; count < 3; count += 1) await client.ping();
    clock.advance(2_500);
    for (let count = 0; count < 5; count += 1) client.raw.sendText(PING);
    await expectEnd(client, 'rate_limited', RATE_LIMITED);
    expect(client.ops).toEqual(['HELLO', 'PONG', 'PONG', 'PONG', 'DISCONNECT']);
    expect(client.goodbye.retry_after).toBeWithin(4_500, 5_001);
    clock.advance(client.goodbye.retry_after);
    using back = await ProfileClient.greeted(instance, resumeQuery(client.place));
    expect(back.hello.recovered).toBe(true);
  });

  test('[LB22][GW15] a client is also disconnected if it floods the gateway with frames of the WebSocket protocol', async () => {
    await using instance = await startTestInstance({ toml: limited(2) });
    using client = await ProfileClient.greeted(instance);
    for (let count = 0; count < 21; count += 1) client.raw.send(OPCODES.ping, '');
    await expectEnd(client, 'rate_limited', RATE_LIMITED);
  });

  test.each<[kind: string, opcode: number, payload: string | Uint8Array]>([
    ['text', OPCODES.text, 'x'.repeat(LARGEST + 1)],
    ['two-byte text', OPCODES.text, 'é'.repeat(LARGEST / 2 + 1)],
    ['bytes', OPCODES.binary, new Uint8Array(LARGEST + 1)],
  ])(
    '[LB22][GW16] a client is also disconnected if it sends more than 64 KiB of %s',
    async (_, opcode, payload) => {
      await using instance = await startTestInstance();
      using client = await ProfileClient.greeted(instance);
      client.raw.send(opcode, payload);
      await expectEnd(client, 'rate_limited', RATE_LIMITED);
      expect(client.ops).toEqual(['HELLO', 'DISCONNECT']);
    },
  );

  test('[LB23][GW14] a client gets HELLO, DISCONNECT and the close frame on one connection too many, and the others stay open', async () => {
    const clock = fakeClock();
    await using instance = await startTestInstance({ toml: limited(2), clock });
    using client = await ProfileClient.greeted(instance);
    await postMessage(instance, 'missed');
    using second = await ProfileClient.greeted(instance);
    clock.advance(4_000);
    const { epoch } = client.hello;
    for (const [query, recovered] of [
      ['v=1', null],
      [resumeQuery({ epoch, s: 0 }), false],
      [resumeQuery({ epoch, s: 1 }), false],
    ] as const) {
      using refused = await ProfileClient.connect(instance, query);
      expect(refused.raw.head).toStartWith('HTTP/1.1 101 ');
      await expectEnd(refused, 'rate_limited', RATE_LIMITED);
      expect(refused.ops).toEqual(['HELLO', 'DISCONNECT']);
      expect(refused.hello).toEqual({ ...second.hello, s: 1, recovered });
      expect(refused.goodbye.retry_after).toBeWithin(6_000, 6_501);
    }
    await client.ping();
    await second.ping();
    clock.advance(6_000);
    using back = await ProfileClient.greeted(instance, resumeQuery({ epoch, s: 0 }));
    expect(back.hello.recovered).toBe(true);
  });
});

test('[LB22][LB23][GW20] a client for which there is no room is disconnected as full, with a random time to wait', async () => {
  const descriptors = 256;
  await using instance = await startLimitedInstance(descriptors);
  const clients: ProfileClient[] = [];
  for (let count = 0; count < descriptorShares(descriptors).admitted; count += 1)
    clients.push(await ProfileClient.greeted(instance));
  const times = new Set<number>();
  for (let count = 0; count < 8; count += 1) {
    using further = await ProfileClient.connect(instance);
    await expectEnd(further, 'full', SERVER_ERROR);
    expect(further.ops).toEqual(['HELLO', 'DISCONNECT']);
    expect(further.goodbye.retry_after).toBeWithin(5_000, 15_001);
    times.add(further.goodbye.retry_after);
  }
  expect(times.size).toBeGreaterThan(1);
  for (const client of clients) client[Symbol.dispose]();
});

describe('when the instance stops', () => {
  test('[LB22] every client receives all events and a DISCONNECT, with a time to wait that differs from client to client', async () => {
    await using instance = await startTestInstance();
    const clients: ProfileClient[] = [];
    for (let count = 0; count < 100; count += 1)
      clients.push(await ProfileClient.greeted(instance));
    await postMessage(instance, 'last');
    await instance.stop();
    for (const client of clients) {
      await expectEnd(client, 'shutdown', SERVER_ERROR);
      expect(client.contents).toEqual(['last']);
      expect(client.goodbye.retry_after).toBeWithin(1_000, 5_001);
    }
    const times = clients.map(({ goodbye }) => goodbye.retry_after);
    expect(new Set(times).size).toBeGreaterThan(80);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(2_000);
  });

  test('[LB22][LB23] a client that is connecting gets HELLO, DISCONNECT with the same reason and the close frame', async () => {
    await using instance = await startTestInstance();
    using first = await ProfileClient.greeted(instance);
    const { hostname, port } = new URL(instance.addresses.gateway);
    const half = await Promise.all(
      Array.from({ length: 20 }, () => beginHandshake(hostname, Number(port))),
    );
    await first.ping();
    const stopped = instance.stop();
    for (const { socket } of half) socket.write('\r\n');
    await stopped;
    const answers = await Promise.all(half.map(({ answer }) => answer));
    for (const answer of answers) {
      expect(answer).toMatch(/"op":"HELLO".*"op":"DISCONNECT".*Server error$/s);
      expect(answer).toContain('"reason":"shutdown"');
    }
    expect(
      new Set(answers.map((each) => /"retry_after":\d+/.exec(each)?.[0])).size,
    ).toBeGreaterThan(10);
  });
});

describe('a client that reads too slowly', () => {
  test('[LB16][LB22][GW18] a client gets an unbroken sequence, the reason and the close frame, and resumes after that sequence', async () => {
    const toml = flooded('send_buffer = "64KiB"\nreplay = { size = "100MB" }');
    await using instance = await startTestInstance({ toml });
    using steady = await ProfileClient.greeted(instance);
    using slow = await ProfileClient.greeted(instance);
    slow.raw.stopReading();
    await postFlood(instance);
    slow.raw.readOn();
    await expectEnd(slow, 'too_slow', SERVER_ERROR);
    expectUnbroken(slow);
    expect(slow.events.length).toBeWithin(1, MESSAGES);
    expect(slow.goodbye.retry_after).toBeWithin(0, 2_001);
    using back = await ProfileClient.greeted(instance, resumeQuery(slow.place));
    expect(back.hello).toMatchObject({ s: slow.place.s, recovered: true });
    await back.untilEvents(MESSAGES - slow.events.length);
    expectUnbroken(back);
    await steady.untilEvents(MESSAGES);
    expectUnbroken(steady);
  });

  test('[LB21] a client may take its time to catch up: no more than send_buffer waits for it, and nobody is delayed', async () => {
    const clock = fakeClock();
    const toml = flooded('send_buffer = "64KiB"\nreplay = { size = "100MB" }');
    await using instance = await startTestInstance({ toml, clock });
    using steady = await ProfileClient.greeted(instance);
    await postFlood(instance);
    const { epoch } = steady.hello;
    using back = await ProfileClient.connect(instance, resumeQuery({ epoch, s: 0 }));
    back.raw.stopReading();
    for (let round = 0; round < 14; round += 1) {
      // The gateway checks what waits; the slow client shows that it is alive.
      clock.advance(2_000);
      back.raw.sendText(PING);
      await steady.ping();
    }
    await postFlood(instance, MESSAGES, 3);
    await steady.untilEvents(MESSAGES + 3);
    back.raw.readOn();
    await back.untilEvents(MESSAGES + 3);
    expect(back.hello.recovered).toBe(true);
    expectUnbroken(back);
    await postFlood(instance, MESSAGES + 3, 1);
    await back.untilEvents(MESSAGES + 4);
    await back.ping();
    expectUnbroken(back);
  });

  test('[LB21][LB22] and needs an event that is no longer kept is closed with the reason, without a gap', async () => {
    const clock = fakeClock();
    const toml = flooded('send_buffer = "64KiB"\nreplay = { events = 200, size = "100MB" }');
    await using instance = await startTestInstance({ toml, clock });
    using steady = await ProfileClient.greeted(instance);
    await postFlood(instance, 0, 200);
    const { epoch } = steady.hello;
    using back = await ProfileClient.connect(instance, resumeQuery({ epoch, s: 0 }));
    back.raw.stopReading();
    await steady.ping();
    await postFlood(instance, 200, 150);
    clock.advance(1_000);
    await steady.untilEvents(350);
    back.raw.readOn();
    await expectEnd(back, 'too_slow', SERVER_ERROR);
    expect(back.hello).toMatchObject({ s: 0, recovered: true });
    expectUnbroken(back);
    expect(back.events.length).toBeWithin(1, 200);
  });

  test('[LB21][GW18] and needs an event that is no longer kept, but reads nothing at all, is cut after half a minute', async () => {
    const clock = fakeClock();
    const toml = flooded('send_buffer = "64KiB"\nreplay = { events = 200, size = "100MB" }');
    await using instance = await startTestInstance({ toml, clock });
    using steady = await ProfileClient.greeted(instance);
    await postFlood(instance, 0, 200);
    const { epoch } = steady.hello;
    using back = await ProfileClient.connect(instance, resumeQuery({ epoch, s: 0 }));
    back.raw.stopReading();
    await steady.ping();
    await postFlood(instance, 200, 200);
    clock.advance(32_000);
    back.raw.readOn();
    await back.raw.ended;
    expect(back.raw.closed).toBeUndefined();
    expectUnbroken(back);
  });

  test('[LB21][LB22] and is closed for another reason is sent no more of what it missed', async () => {
    const toml = flooded('send_buffer = "4MiB"\nreplay = { size = "100MB" }');
    await using instance = await startTestInstance({ toml });
    using steady = await ProfileClient.greeted(instance);
    await postFlood(instance);
    const { epoch } = steady.hello;
    using back = await ProfileClient.connect(instance, resumeQuery({ epoch, s: 0 }));
    back.raw.stopReading();
    await steady.ping();
    back.raw.sendText('x'.repeat(LARGEST + 1));
    await steady.ping();
    await postFlood(instance, MESSAGES, 1);
    back.raw.readOn();
    await expectEnd(back, 'rate_limited', RATE_LIMITED);
    expectUnbroken(back);
    expect(back.events.length).toBeWithin(1, MESSAGES);
  });
});

test('[LB22][GW9] a client that is silent for too long is disconnected as dead', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ clock });
  using client = await ProfileClient.greeted(instance);
  using documented = await RawSocket.connect(instance.addresses.gateway);
  await postMessage(instance, 'quiet here');
  await Promise.all([client.untilEvents(1), documented.until(() => documented.texts.length === 1)]);
  clock.advance(49_000);
  await expectEnd(client, 'dead', DEAD);
  expect(client.ops).toEqual(['HELLO', 'MESSAGE_CREATE', 'DISCONNECT']);
  expect(client.goodbye.retry_after).toBeWithin(0, 1_001);
  await documented.ended;
  expect(documented.frames).toHaveLength(2);
  expect(documented.closed).toEqual(DEAD);
});

test('[LB22][GW12] a client whose payload makes the instance fail is disconnected with server_error', async () => {
  const clock = fakeClock();
  let isBroken = false;
  const monotonicMs = () => {
    if (!isBroken) return clock.monotonicMs();
    isBroken = false;
    throw new Error('the clock is broken');
  };
  await using instance = await startTestInstance({
    toml: GENEROUS_LIMITS,
    clock: { ...clock, monotonicMs },
  });
  using client = await ProfileClient.greeted(instance);
  isBroken = true;
  client.raw.sendText(PING);
  await expectEnd(client, 'server_error', SERVER_ERROR);
  expect(client.goodbye.retry_after).toBeWithin(1_000, 5_001);
});

test('[LB22] no DISCONNECT is sent if the client closes the connection or breaks the protocol', async () => {
  await using instance = await startTestInstance();
  using leaves = await ProfileClient.greeted(instance);
  leaves.raw.send(OPCODES.close, Buffer.from([0x03, 0xe8]));
  using breaks = await ProfileClient.greeted(instance);
  breaks.raw.send(OPCODES.text, PING, { isMasked: false });
  await Promise.all([leaves.raw.ended, breaks.raw.ended]);
  expect([leaves.raw.closed?.code, breaks.raw.closed?.code]).toEqual([1000, 1002]);
  expect([leaves.ops, breaks.ops]).toEqual([['HELLO'], ['HELLO']]);
});
