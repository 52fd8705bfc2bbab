import { expect, test } from 'bun:test';
import { formatId } from '@hearth/protocol';
import { streamNoticeSchema } from '@hearth/protocol/schemas';
import { fakeClock } from '@hearth/testing/fake-clock';
import { startAt } from '@hearth/testing/ports/staged-bus';
import type { Delivery } from '../../ports/bus/bus.ts';
import { newConnection, type ConnectionSocket } from './connection.ts';
import { streamCloseText, streamOpenText } from './event-texts.ts';
import { Streams } from './streams.ts';

const ACCESS = { user: undefined, roles: [] };
const SWEEP_AFTER_BYTES = 4_000_000;

/** Streams with clients that are sent what they follow. */
function openStreams() {
  const subscribers = new Map<string, Set<ConnectionSocket>>();
  const followers = (topic: string) => subscribers.getOrInsertComputed(topic, () => new Set());
  const published: string[] = [];
  const givenUp: ConnectionSocket[] = [];
  const streams: Streams = new Streams({
    servers: {
      publish: (topic, text) => {
        published.push(text);
        followers(topic).forEach((socket) => socket.send(text));
      },
      hasSubscribers: (topic) => followers(topic).size > 0,
    },
    clock: fakeClock(),
    isLobbyOpen: true,
    audienceTest: () => () => false,
    bounds: { events: 1_000, minutes: 10, bytes: 1_000_000 },
    start: startAt({ epoch: 'E', position: 0 }),
    pauseAboveBytes: 100,
    pauseAllAboveBytes: Infinity,
    sweepAfterBytes: SWEEP_AFTER_BYTES,
    onBreak: () => {},
    giveUp: (socket) => {
      givenUp.push(socket);
      streams.leave(socket);
    },
  });
  const send = (stream: string, position: number, { epoch = 'E-0', d = {} } = {}) =>
    streams.send({ stream, epoch, position, event: { op: 'MADE_UP', d } });
  const connect = () => {
    const log: string[] = [];
    const socket: ConnectionSocket = {
      data: newConnection(
        { client: '192.0.2.1', accessCode: undefined, profile: { version: 0 } },
        0,
      ),
      send: (text) => log.push(text),
      close: () => {},
      terminate: () => {},
      subscribe: (topic) => followers(topic).add(socket),
      unsubscribe: (topic) => followers(topic).delete(socket),
      cork: (run) => run(),
      getBufferedAmount: () => 0,
    };
    return { socket, log };
  };
  return { streams, hub: streams.hub, send, connect, published, givenUp };
}

const madeUp = (stream: string, position: number) =>
  `{"op":"MADE_UP","t":"${stream}","s":${position},"d":{}}`;

test('[ST11] an event is encoded once and published once, and not at all if nobody follows', () => {
  const { hub, send, connect, published } = openStreams();
  const clients = [connect(), connect(), connect()];
  for (const { socket } of clients) hub.open(socket, { stream: 'c:1', access: ACCESS });
  send('c:1', 1);
  send('c:2', 1);
  expect(published).toEqual([madeUp('c:1', 1)]);
  const open = streamOpenText('c:1', { epoch: 'E-0', position: 0 });
  for (const { log } of clients) expect(log).toEqual([open, madeUp('c:1', 1)]);
});

test('[GW17] the events of a stream are gathered while it has many followers, and those of the lobby never', () => {
  const { hub, connect } = openStreams();
  const sockets = Array.from({ length: 64 }, () => connect().socket);
  const [first, ...others] = sockets;
  const paces = () => ['c:1', 'c:2', 'lobby'].map((stream) => hub.paceOf({ stream }));
  for (const socket of others) {
    for (const stream of ['c:1', 'lobby']) hub.open(socket, { stream, access: ACCESS });
  }
  expect(paces()).toEqual(['any', 'any', 'next turn']);
  for (const stream of ['c:1', 'lobby']) {
    if (first !== undefined) hub.open(first, { stream, access: ACCESS });
  }
  expect(paces()).toEqual(['gathered', 'any', 'next turn']);
  for (const socket of others) hub.leave(socket);
  expect(paces()).toEqual(['any', 'any', 'next turn']);
});

test('[ST6][ST11] the lobby can also be followed by name, beside the clients of other profiles', async () => {
  const { streams, hub, send, connect, published } = openStreams();
  const id = formatId({ seconds: 1, instanceId: 1, sequence: 1 });
  const d = { id, author: 'ada', content: 'hello', created_at: 1 };
  const message = (position: number): Delivery => {
    const event = { op: 'MESSAGE_CREATE', d };
    return { stream: 'lobby', epoch: 'E', position, event };
  };
  const [documented, named, late] = [connect(), connect(), connect()];
  streams.follow(documented.socket);
  hub.open(named.socket, { stream: 'lobby', access: ACCESS });
  streams.send(message(1));
  const from = { epoch: 'E', position: 0 };
  expect(hub.open(late.socket, { stream: 'lobby', access: ACCESS, from })).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  const text = JSON.stringify({ op: 'MESSAGE_CREATE', t: 'lobby', s: 1, d });
  expect(named.log).toEqual([streamOpenText('lobby', from), text]);
  expect(late.log).toEqual(named.log);
  expect(documented.log).toEqual([
    '{"op":"MESSAGE_CREATE","d":{"author":"ada","content":"hello"}}',
  ]);
  expect(published).toHaveLength(2);
  streams.send({ stream: 'lobby', end: { everyone: true } });
  expect([named.log.at(-1), documented.log.length]).toEqual([streamCloseText('lobby'), 1]);
  send('lobby', 2, { epoch: 'E', d });
  expect([named.log.length, documented.log.length]).toEqual([3, 1]);
});

test('[ST6][ST6a] a position in an earlier epoch is not continued, and a new epoch is opened before its first event', () => {
  const { hub, send, connect } = openStreams();
  const { socket, log } = connect();
  send('c:1', 1);
  hub.open(socket, { stream: 'c:1', access: ACCESS });
  send('c:1', 2);
  send('c:1', 1, { epoch: 'E-7' });
  expect(log).toEqual([
    streamOpenText('c:1', { epoch: 'E-0', position: 1 }),
    madeUp('c:1', 2),
    streamOpenText('c:1', { epoch: 'E-7', position: 0 }),
    madeUp('c:1', 1),
  ]);
  const late = connect();
  const from = { epoch: 'E-0', position: 1 };
  expect(hub.open(late.socket, { stream: 'c:1', access: ACCESS, from })).toBe(false);
  expect(late.log).toEqual([streamOpenText('c:1', { epoch: 'E-7', position: 1 })]);
});

test('[ST6][ST6a] a client that is catching up when another epoch begins continues with that one', async () => {
  const { hub, send, connect } = openStreams();
  for (let position = 1; position <= 300; position += 1) send('c:1', position);
  const { socket, log } = connect();
  const from = { epoch: 'E-0', position: 0 };
  hub.open(socket, { stream: 'c:1', access: ACCESS, from });
  send('c:1', 1, { epoch: 'E-9' });
  send('c:1', 2, { epoch: 'E-9' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(log).toEqual([
    streamOpenText('c:1', from),
    streamOpenText('c:1', { epoch: 'E-9', position: 0 }),
    ...[madeUp('c:1', 1), madeUp('c:1', 2)],
  ]);
});

/** A client whose access to `c:1` ends while it is catching up. */
function openEnded() {
  const opened = openStreams();
  for (let position = 1; position <= 300; position += 1) opened.send('c:1', position);
  const { socket, log } = opened.connect();
  const from = { epoch: 'E-0', position: 0 };
  opened.hub.open(socket, { stream: 'c:1', access: ACCESS, from });
  opened.streams.send({ stream: 'c:1', end: { everyone: true } });
  return { ...opened, socket, log };
}

test('[ST7] a client that is given access again gets the rest of its earlier access first', () => {
  const { hub, socket, log, givenUp } = openEnded();
  hub.open(socket, { stream: 'c:1', access: ACCESS });
  expect(log.slice(-3)).toEqual([
    madeUp('c:1', 300),
    streamCloseText('c:1'),
    streamOpenText('c:1', { epoch: 'E-0', position: 300 }),
  ]);
  expect([log.length, givenUp.length]).toEqual([303, 0]);
});

const HINDRANCES = {
  'does not read it': ({ socket }: ReturnType<typeof openEnded>) => {
    socket.getBufferedAmount = () => 101;
  },
  'can no longer have it': ({ send }: ReturnType<typeof openEnded>) => {
    for (let position = 1; position <= 1_000; position += 1) send('c:2', position);
  },
};

for (const [what, hinder] of Object.entries(HINDRANCES)) {
  test(`[ST7] a client that has to get the rest of a stream and ${what} is closed, without STREAM_CLOSE`, () => {
    for (const begin of ['by access', 'by epoch']) {
      const stage = openEnded();
      hinder(stage);
      const { hub, socket, log, givenUp, send } = stage;
      if (begin === 'by access') hub.open(socket, { stream: 'c:1', access: ACCESS });
      else send('c:1', 1, { epoch: 'E-9' });
      expect(givenUp).toEqual([socket]);
      expect(log).toEqual([streamOpenText('c:1', { epoch: 'E-0', position: 0 })]);
    }
  });
}

test('[ST10] only followers of streams that published are checked', () => {
  const { streams, hub, send, connect } = openStreams();
  const [busy, quiet, both] = [connect(), connect(), connect()];
  const open = (socket: ConnectionSocket, stream: string) =>
    hub.open(socket, { stream, access: ACCESS });
  open(busy.socket, 'c:busy');
  open(quiet.socket, 'c:quiet');
  open(both.socket, 'c:busy');
  open(both.socket, 'c:quiet');
  send('c:busy', 1, { d: { text: 'x'.repeat(1_500_000) } });
  expect(streams.isSweepDue).toBe(true);
  const looked: ConnectionSocket[] = [];
  streams.sweep((socket) => looked.push(socket));
  expect(looked).toEqual([busy.socket, both.socket]);
  expect(streams.isSweepDue).toBe(false);
});

test('[ST10] no socket is checked for streams that nobody follows', () => {
  const { streams, hub, send, connect } = openStreams();
  const { socket } = connect();
  hub.open(socket, { stream: 'c:1', access: ACCESS });
  const d = { text: 'x'.repeat(1_500_000) };
  for (let position = 1; position <= 3; position += 1) send('c:2', position, { d });
  expect([streams.isSweepDue, streams.bytesSinceSweep]).toEqual([false, 0]);
  send('c:1', 1, { d });
  expect(streams.isSweepDue).toBe(true);
});

test('[ST6] notices have the form of the protocol', () => {
  const open = streamOpenText('c:1', { epoch: 'E', position: 3 });
  expect(open).toBe('{"op":"STREAM_OPEN","d":{"stream":"c:1","epoch":"E","s":3}}');
  expect(streamCloseText('c:1')).toBe('{"op":"STREAM_CLOSE","d":{"stream":"c:1"}}');
  for (const text of [open, streamCloseText('c:1')]) streamNoticeSchema.parse(JSON.parse(text));
});

test('[ST11] a socket that is being closed follows nothing more', () => {
  const { hub, send, connect } = openStreams();
  const { socket, log } = connect();
  socket.data.status = { state: 'closing', reason: 'too_slow' };
  expect(hub.open(socket, { stream: 'c:1', access: ACCESS })).toBe(false);
  send('c:1', 1);
  expect(log).toEqual([]);
});
