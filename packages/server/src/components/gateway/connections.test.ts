import { expect, test } from 'bun:test';
import { fakeClock } from '@hearth/testing/fake-clock';
import { newConnection, type ConnectionSocket } from './connection.ts';
import { Connections } from './connections.ts';
import { newAccountProfile, type Profile } from './profile.ts';

/** Connections of sockets that the test drives; the log has what each socket was sent. */
function openConnections() {
  const clock = fakeClock();
  const finished: string[] = [];
  const ticks: number[] = [];
  const logs = new Map<ConnectionSocket, string[]>();
  const connections = new Connections({
    clock,
    limits: { admitted: 10, refused: 4 },
    sendBufferBytes: 1_000,
    sendBufferTotalBytes: 4_000,
    onRefusal: (reason, client) => finished.push(`${reason} ${client}`),
    onTick: () => ticks.push(clock.monotonicMs()),
    onLeave: (socket) => logs.get(socket)?.push(LEFT),
    onClose: (socket, reason) => logs.get(socket)?.push(`goodbye: ${reason}`),
  });
  const connect = (refusal?: 'rate_limited' | 'full', profile: Profile = { version: 0 }) => {
    const log: string[] = [];
    const buffer = { bytes: 0 };
    const client = { client: '192.0.2.1', accessCode: undefined, profile };
    const refused = refusal === undefined ? undefined : { reason: refusal, retryAfterMs: 0 };
    const socket: ConnectionSocket = {
      data: newConnection(client, clock.monotonicMs(), refused),
      send: (text) => log.push(text),
      // Both report the end at once, as the runtime does.
      close(code, reason) {
        log.push(`${code} ${reason}`);
        connections.delete(socket);
      },
      terminate() {
        log.push('cut');
        connections.delete(socket);
      },
      subscribe: (topic) => log.push(`+${topic}`),
      unsubscribe: (topic) => log.push(`-${topic}`),
      cork: (run) => run(),
      getBufferedAmount: () => buffer.bytes,
    };
    logs.set(socket, log);
    connections.add(socket);
    return { socket, log, buffer };
  };
  return { clock, connections, connect, finished, ticks };
}

/** The entry of a socket's log if it is sent nothing more. */
const LEFT = 'left';
/** The end of a socket's log, for each reason. */
const closedFor = (reason: string, frame = 'Server error') => [
  LEFT,
  `goodbye: ${reason}`,
  `1011 ${frame}`,
];

test('[GW20] connected clients take places, which are free again as soon as the clients have left', () => {
  const { connections, connect } = openConnections();
  const sockets = Array.from({ length: 10 }, () => connect());
  expect(connections.isFull).toBe(true);
  sockets.slice(0, 1).forEach(({ socket }) => connections.delete(socket));
  expect(connections.isFull).toBe(false);
});

test('[GW20] a client that the gateway has closed keeps its place until the runtime has released its descriptor', () => {
  const { clock, connections, connect } = openConnections();
  const sockets = Array.from({ length: 10 }, () => connect());
  for (const { socket } of sockets) connections.close(socket, 'server_error');
  clock.advance(4_900);
  expect(connections.isFull).toBe(true);
  clock.advance(1_000);
  expect(connections.isFull).toBe(false);
});

test('[GW20] refused clients may use the reserved descriptors and half of the free places', () => {
  const { clock, connections, connect } = openConnections();
  for (let count = 0; count < 4 + 10 / 2; count += 1) {
    expect(connections.isCrowded).toBe(false);
    connect('rate_limited');
  }
  expect(connections.isCrowded).toBe(true);
  for (let count = 0; count < 5; count += 1) {
    expect(connections.isFull).toBe(false);
    connect();
  }
  expect(connections.isFull).toBe(true);
  clock.advance(6_000);
  expect([connections.isFull, connections.isCrowded]).toEqual([false, false]);
});

test('[ON3] connections count while they are open, and not while they are refused or being closed', () => {
  const { connections, connect } = openConnections();
  const [left, slow] = [connect(), connect()];
  connect('full');
  expect(connections.openCount).toBe(2);
  slow.buffer.bytes = 2_000;
  connections.closeSlowReaders();
  expect(connections.openCount).toBe(1);
  slow.socket.terminate();
  expect(connections.openCount).toBe(1);
  left.socket.terminate();
  expect(connections.openCount).toBe(0);
  connect();
  connections.closeAll();
  expect(connections.openCount).toBe(0);
});

test('[GW12] a client that comes after all were closed is refused', () => {
  const { connections, connect, finished } = openConnections();
  const { log } = connect();
  expect(connections.isFull).toBe(false);
  connections.closeAll();
  expect(log).toEqual(closedFor('shutdown'));
  expect(connections.isFull).toBe(true);
  expect(finished).toEqual([]);
});

test('[GW12] a connection is closed once, for the first reason', () => {
  const { clock, connections, connect, finished } = openConnections();
  const { socket, log } = connect();
  connections.close(socket, 'server_error');
  connections.close(socket, 'rate_limited');
  connections.finishIfRead(socket);
  connections.closeAll();
  clock.advance(60_000);
  expect(log).toEqual(closedFor('server_error'));
  expect(finished).toEqual(['server_error 192.0.2.1']);
});

test.each([
  ['dead', 'Client connection dead'],
  ['rate_limited', 'Client hit rate limit'],
  ['too_slow', 'Server error'],
  ['full', 'Server error'],
  ['shutdown', 'Server error'],
  ['server_error', 'Server error'],
] as const)('[GW12][LB22] goodbye is said before the close frame, for %s: %s', (reason, frame) => {
  const { connections, connect } = openConnections();
  const { socket, log } = connect();
  connections.close(socket, reason);
  expect(log).toEqual(closedFor(reason, frame));
});

test.each([
  ['rate_limited', 'Client hit rate limit'],
  ['full', 'Server error'],
] as const)('[LB23] a refused connection is sent the reason at once: %s', (reason, frame) => {
  const { connections, connect, finished } = openConnections();
  const { log } = connect(reason);
  expect(log).toEqual([`goodbye: ${reason}`, `1011 ${frame}`]);
  connections.closeAll();
  expect(log).toHaveLength(2);
  expect(finished).toEqual([`${reason} 192.0.2.1`]);
});

test('[LB20] a tick comes about twice a second until the timer is stopped', () => {
  const { clock, connections, ticks } = openConnections();
  clock.advance(10_000);
  expect(ticks.length).toBeWithin(15, 25);
  connections.stopTicking();
  const { length } = ticks;
  clock.advance(10_000);
  expect(ticks).toHaveLength(length);
});

test('[GW18] a slow reader is sent nothing more, and is closed only after it has read', () => {
  const { connections, connect } = openConnections();
  const { socket, log, buffer } = connect();
  buffer.bytes = 1_000;
  connections.closeSlowReaders();
  expect(log).toEqual([]);
  buffer.bytes = 1_001;
  connections.closeSlowReaders();
  expect(log).toEqual([LEFT]);
  buffer.bytes = 1;
  connections.finishIfRead(socket);
  expect(log).toEqual([LEFT]);
  buffer.bytes = 0;
  connections.finishIfRead(socket);
  expect(log).toEqual(closedFor('too_slow'));
});

test('[GW10] a dead connection is cut in the same time even if it has not read what it was sent', () => {
  const { clock, connect } = openConnections();
  const { log, buffer } = connect();
  buffer.bytes = 1;
  clock.advance(46_900);
  expect(log).toEqual([]);
  clock.advance(2_100);
  expect(log).toEqual([LEFT, 'cut']);
});

test('[GW18] a slow reader that has not read after 30 s is cut, which frees its descriptor', () => {
  const { clock, connections, connect } = openConnections();
  const [first] = Array.from({ length: 10 }, () => connect());
  if (first === undefined) throw new Error('no socket');
  first.buffer.bytes = 2_000;
  clock.advance(500);
  clock.advance(29_900);
  expect(first.log).toEqual([LEFT]);
  clock.advance(1_000);
  expect(first.log).toEqual([LEFT, 'cut']);
  expect(connections.isFull).toBe(false);
});

test('[LB16] when the stream is broken, clients that know positions are closed, and no others', () => {
  const { connections, connect } = openConnections();
  const documented = connect();
  const resumable = connect(undefined, { version: 1, resume: undefined });
  connections.closeProfiles('server_error');
  expect(documented.log).toEqual([]);
  expect(resumable.log).toEqual(closedFor('server_error'));
});

test('[GW21] if twice the data that waits for all sockets is too much, the clients with the most waiting data are closed', () => {
  const { connections, connect, finished } = openConnections();
  const sockets = [500, 900, 700, 0].map((bytes) => {
    const connected = connect();
    connected.buffer.bytes = bytes;
    return connected;
  });
  connections.closeSlowReaders();
  expect(finished).toEqual(['too_slow 192.0.2.1']);
  expect(sockets.map(({ log }) => log)).toEqual([[], [LEFT], [], []]);

  // A client that reads in time gets its goodbye. The others may be sent no more than before.
  for (const { socket, buffer } of sockets.slice(1, 2)) {
    buffer.bytes = 0;
    connections.finishIfRead(socket);
  }
  connections.closeSlowReaders();
  expect(sockets.map(({ log }) => log)).toEqual([[], closedFor('too_slow'), [], []]);
});

test('[GW21] a closed client that still does not read is cut when the memory is needed', () => {
  const { connections, connect, finished } = openConnections();
  const sockets = [900, 800, 700].map((bytes) => {
    const connected = connect();
    connected.buffer.bytes = bytes;
    return connected;
  });
  connections.closeSlowReaders();
  connections.closeSlowReaders();
  expect(sockets.map(({ log }) => log)).toEqual([[LEFT, 'cut'], [], []]);
  expect(finished).toHaveLength(1);
  connections.closeSlowReaders();
  expect(finished).toHaveLength(1);
});

test('[GW21] the more sockets there are and the more data waits for them, the less is sent before the next check', () => {
  const { connections, connect } = openConnections();
  expect(connections.roomEachBytes).toBe(2_000);
  const { buffer } = connect();
  connect();
  expect(connections.roomEachBytes).toBe(1_000);
  buffer.bytes = 600;
  connections.closeSlowReaders();
  expect(connections.roomEachBytes).toBe(700);
  buffer.bytes = 1_000;
  connections.closeSlowReaders();
  expect(connections.roomEachBytes).toBe(500);
  const [third] = [connect(), connect()];
  third.buffer.bytes = 10_000;
  connections.closeIfSlow(third.socket);
  // Clients that read carry on, however much waits for others.
  expect(connections.roomEachBytes).toBe(2_000 / 32 / 4);
});

test('[GP2] a client of profile 2 is closed 10 to 12 s after its start if it has not authenticated, and otherwise like the others', () => {
  const { clock, connect } = openConnections();
  const [silent, late] = [
    connect(undefined, newAccountProfile()),
    connect(undefined, newAccountProfile()),
  ];
  clock.advance(9_900);
  expect([silent.log, late.log]).toEqual([[], []]);
  if ('stage' in late.socket.data.profile) late.socket.data.profile.stage = 'checking';
  clock.advance(2_100);
  expect(silent.log).toEqual(closedFor('dead', 'Client connection dead'));
  clock.advance(34_900);
  expect(late.log).toEqual([]);
  clock.advance(2_500);
  expect(late.log).toEqual(closedFor('dead', 'Client connection dead'));
});
