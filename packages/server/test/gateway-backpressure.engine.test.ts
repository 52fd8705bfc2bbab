import { expect, test } from 'bun:test';
import { ClientFleet, FLEET_SIZE, sequenceName } from '@hearth/testing/clients/client-fleet';
import { fakeClock } from '@hearth/testing/fake-clock';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { eventOf, postMessage } from '@hearth/testing/clients/post-message';
import { RawSocket } from '@hearth/testing/clients/raw-socket';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { clientFrame, OPCODES } from '@hearth/testing/clients/web-socket-frames';

const PONG = '{"op":"PONG"}';
const SERVER_ERROR = { code: 1011, reason: 'Server error' };
const MESSAGE_BYTES = 60_000;
/** Together far more than the system buffers for one socket, which is about 4 MB here. */
const MESSAGES = 250;
const PINGS_AT_ONCE = Buffer.alloc(19 * 10_000, clientFrame(OPCODES.text, '{"op":"PING"}'));

const settings = (sendBuffer: string) =>
  `[oprish]\nmessage_limit = ${MESSAGE_BYTES}\n${GENEROUS_LIMITS}`
    .replace('limit = 100000 }\n[effis', 'limit = 10000000 }\n[effis')
    .replace('[pandemonium]', `[pandemonium]\nsend_buffer = "${sendBuffer}"`);

const content = (index: number) => `${index} `.padEnd(MESSAGE_BYTES, 'x');
const events = (count: number) =>
  Array.from({ length: count }, (_, index) => eventOf(content(index)));

async function postMany(instance: TestInstance, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await postMessage(instance, content(index));
}

/** A client that reads nothing from now on. */
async function connectDeaf(instance: TestInstance): Promise<RawSocket> {
  const socket = await RawSocket.connect(instance.addresses.gateway);
  socket.stopReading();
  return socket;
}

/** Sends so many PINGs that their answers fill the system's buffer for a socket. */
async function fillWithPongs(socket: RawSocket, other: GatewayClient): Promise<void> {
  for (let batch = 0; batch < 40; batch += 1) {
    socket.write(PINGS_AT_ONCE);
    // When another client has its answer, the gateway has also read these.
    await other.ping();
  }
}

test('[GW17][GW18][GW19] a slow reader gets an unbroken sequence and then 1011 "Server error"; others get everything', async () => {
  await using instance = await startTestInstance({ toml: settings('64KiB') });
  const reader = await GatewayClient.connect(instance.addresses.gateway);
  using slow = await connectDeaf(instance);
  await postMany(instance, MESSAGES);
  await reader.until(() => reader.received.length === MESSAGES);
  expect(reader.received).toEqual(events(MESSAGES));
  // The gateway is already closing it, so it gets no answer.
  slow.sendText('{"op":"PING"}');
  await reader.ping();
  slow.readOn();
  await slow.ended;
  expect(slow.closed).toEqual(SERVER_ERROR);
  expect(slow.texts.length).toBeGreaterThan(0);
  expect(slow.texts.length).toBeLessThan(MESSAGES);
  expect(slow.texts).toEqual(events(slow.texts.length));
});

test('[GW17][GW18] the same holds when many messages are posted at once', async () => {
  await using instance = await startTestInstance({ toml: settings('1MiB') });
  const reader = await GatewayClient.connect(instance.addresses.gateway);
  using slow = await connectDeaf(instance);
  for (let posted = 0; posted < MESSAGES; posted += 10) {
    const contents = Array.from({ length: 10 }, (_, index) => content(posted + index));
    await Promise.all(contents.map((each) => postMessage(instance, each)));
  }
  await reader.until(() => reader.received.length === MESSAGES);
  slow.readOn();
  await slow.ended;
  expect(slow.closed).toEqual(SERVER_ERROR);
  expect(slow.texts.length).toBeLessThan(MESSAGES);
  expect(slow.texts).toEqual(reader.received.slice(0, slow.texts.length));
});

test('[GW18] a slow reader has half a minute to read its close; one that never reads is cut after that', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ toml: settings('64KiB'), clock });
  using late = await connectDeaf(instance);
  using never = await connectDeaf(instance);
  await postMany(instance, MESSAGES);
  clock.advance(29_500);
  await postMessage(instance, 'too late for these');
  late.readOn();
  await late.ended;
  expect(late.closed).toEqual(SERVER_ERROR);
  clock.advance(1_500);
  never.readOn();
  await never.ended;
  expect(never.closed).toBeUndefined();
  for (const { texts } of [late, never]) expect(texts).toEqual(events(texts.length));
});

test('[GW17][GW18] a reader that pauses while less waits for it than send_buffer stays and misses nothing', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ toml: settings('32MiB'), clock });
  using slow = await connectDeaf(instance);
  // More than the runtime would buffer by default.
  await postMany(instance, 2 * MESSAGES);
  clock.advance(10_000);
  slow.readOn();
  await slow.until(() => slow.frames.length === 2 * MESSAGES);
  expect(slow.texts).toEqual(events(2 * MESSAGES));
  slow.sendText('{"op":"PING"}');
  await slow.until(() => slow.texts.at(-1) === PONG);
});

test('[GW21] clients that never read are closed when too much waits for all of them, and others get everything', async () => {
  const clock = fakeClock();
  const total = 'send_buffer_total = "16MiB"';
  const toml = settings('64MiB').replace('[pandemonium]', `[pandemonium]\n${total}`);
  await using instance = await startTestInstance({ toml, clock });
  const reader = await GatewayClient.connect(instance.addresses.gateway);
  using deaf = new DisposableStack();
  const sockets: RawSocket[] = [];
  for (let count = 0; count < 4; count += 1) {
    sockets.push(deaf.use(await connectDeaf(instance)));
  }
  await postMany(instance, 2 * MESSAGES);
  await reader.until(() => reader.received.length === 2 * MESSAGES);
  expect(reader.received).toEqual(events(2 * MESSAGES));
  for (const socket of sockets) socket.readOn();
  const isWhole = ({ texts }: RawSocket) => texts.length === 2 * MESSAGES;
  const ended = await Promise.all(
    sockets.map((socket) =>
      Promise.race([
        socket.ended.then(() => 'closed'),
        socket.until(() => isWhole(socket)).then(() => 'stays'),
      ]),
    ),
  );
  expect(ended).toContain('closed');
  for (const { texts } of sockets) expect(texts).toEqual(events(texts.length));
});

test('[GW18] a client that sends PING after PING and never reads is closed, even if no message is posted', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ toml: settings('64KiB'), clock });
  const other = await GatewayClient.connect(instance.addresses.gateway);
  using slow = await connectDeaf(instance);
  await fillWithPongs(slow, other);
  clock.advance(500);
  await other.ping();
  slow.readOn();
  await slow.ended;
  expect(slow.closed).toEqual(SERVER_ERROR);
  expect(new Set(slow.texts)).toEqual(new Set([PONG]));
});

test('[GW3][GW17][GW18][GW19] a few of 2,000 sockets that never read cost no other socket a message', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ toml: settings('64KiB'), clock });
  await using fleet = await ClientFleet.connect(instance.addresses.gateway, FLEET_SIZE);
  const reference = await GatewayClient.connect(instance.addresses.gateway);
  using slow = await connectDeaf(instance);
  using never = await connectDeaf(instance);
  for (const socket of [slow, never]) await fillWithPongs(socket, reference);
  const messages = () => reference.received.filter((text) => text !== PONG);
  const postToAll = async (count: number) => {
    const contents = Array.from({ length: count }, (_, index) => `${index} `.padEnd(2_000, 'x'));
    await Promise.all(contents.map((each) => postMessage(instance, each)));
  };
  await postToAll(50);
  clock.advance(500);
  await postToAll(50);
  slow.readOn();
  await slow.ended;
  expect(slow.closed).toEqual(SERVER_ERROR);
  clock.advance(31_000);
  await postToAll(50);
  await reference.until(() => messages().length === 150);
  const all = messages().reduce(sequenceName, '');
  expect(await fleet.received(150)).toEqual({ [all]: FLEET_SIZE });
  const slowMessages = slow.texts.filter((text) => text !== PONG);
  expect(slowMessages).toEqual(messages().slice(0, slowMessages.length));
  never.readOn();
  await never.ended;
  expect(never.closed).toBeUndefined();
});
