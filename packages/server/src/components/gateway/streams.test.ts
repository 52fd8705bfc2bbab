import { expect, test } from 'bun:test';
import { formatId } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { startAt } from '@hearth/testing/ports/staged-bus';
import type { BusEvent, BusStart, StreamPosition } from '../../ports/bus/bus.ts';
import { newConnection, type ConnectionSocket } from './connection.ts';
import type { Profile } from './profile.ts';
import { Streams } from './streams.ts';

/** A stream at position 0 of the epoch "E", with clients that follow it when they subscribe. */
function openStream(kept: BusStart['kept'] = []) {
  const keptEvents = kept.filter(({ delivery }) => 'event' in delivery).length;
  const subscribers = new Map<string, Set<ConnectionSocket>>();
  const followers = (topic: string) => subscribers.getOrInsertComputed(topic, () => new Set());
  const givenUp: ConnectionSocket[] = [];
  const stream = new Streams({
    servers: {
      publish: (topic, text) => followers(topic).forEach((socket) => socket.send(text)),
      hasSubscribers: (topic) => followers(topic).size > 0,
    },
    clock: fakeClock(),
    isLobbyOpen: true,
    audienceTest: () => () => false,
    bounds: { events: 1_000, minutes: 10, bytes: 1_000_000 },
    start: { ...startAt({ epoch: 'E', position: keptEvents }), kept },
    pauseAboveBytes: 100,
    pauseAllAboveBytes: Infinity,
    sweepAfterBytes: 1_000_000,
    onBreak: () => breaks.push(position),
    giveUp: (socket) => givenUp.push(socket),
  });
  let position = keptEvents;
  const breaks: number[] = [];
  const publish = (epoch = 'E', steps = 1) => {
    position += steps;
    const id = formatId({ seconds: 1, instanceId: 1, sequence: position });
    const d = { id, author: 'ada', content: String(position), created_at: 1 };
    stream.send({
      ...{ stream: 'lobby', epoch, position },
      event: { op: 'MESSAGE_CREATE', d },
    });
  };
  const connect = (profile: Profile) => {
    const log: string[] = [];
    const texts: string[] = [];
    const socket: ConnectionSocket = {
      data: newConnection({ client: '192.0.2.1', accessCode: undefined, profile }, 0),
      send: (text) => {
        texts.push(text);
        log.push(/"content":"(\d+)"/.exec(text)?.[1] ?? JSON.parse(text).op);
      },
      close: () => {},
      terminate: () => {},
      subscribe: (topic) => followers(topic).add(socket),
      unsubscribe: (topic) => followers(topic).delete(socket),
      cork: (run) => run(),
      getBufferedAmount: () => 1,
    };
    stream.follow(socket);
    return { socket, log, texts };
  };
  /** A client that follows a stream by name. */
  const follow = (name: string, from: StreamPosition) => {
    const client = connect({ version: 2, stage: 'in', user: undefined, session: undefined });
    const access = { user: undefined, roles: [] };
    stream.hub.open(client.socket, { stream: name, access, from, isListed: true });
    return client;
  };
  return { stream, publish, connect, follow, givenUp, breaks };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const resuming = (position: number): Profile => ({
  version: 1,
  resume: { epoch: 'E', position },
});

test('[LB14][LB16][LB18] each client is sent the events of its profile, from its own position', async () => {
  const { publish, connect, givenUp } = openStream();
  publish();
  publish();
  const clients = [
    connect({ version: 0 }),
    connect({ version: 1, resume: undefined }),
    connect({ version: 1, resume: 'unknown' }),
    connect(resuming(0)),
    connect(resuming(2)),
    connect(resuming(3)),
  ];
  publish();
  await turn();
  publish();
  expect(clients.map(({ log }) => log)).toEqual([
    ['3', '4'],
    ['HELLO', '3', '4'],
    ['HELLO', '3', '4'],
    ['HELLO', '1', '2', '3', '4'],
    ['HELLO', '3', '4'],
    ['HELLO', '3', '4'],
  ]);
  expect(givenUp).toEqual([]);
});

test.each(['leave', 'forget'] as const)(
  '[LB21] a client that is catching up is sent nothing more after %p, even if something still waits for it',
  async (end) => {
    const { stream, publish, connect } = openStream();
    for (let count = 0; count < 300; count += 1) publish();
    const { socket, log } = connect(resuming(0));
    await turn();
    const { socket: next, log: nextLog } = connect(resuming(0));
    stream[end](next);
    stream[end](socket);
    const sent = log.length;
    publish();
    stream.resume(socket);
    await turn();
    await turn();
    expect(nextLog).toEqual(['HELLO']);
    if (end === 'leave') expect(log).toHaveLength(sent);
  },
);

test('[LB14] clients of both profiles are sent nothing after they left', () => {
  const { stream, publish, connect } = openStream();
  const clients = [connect({ version: 0 }), connect({ version: 1, resume: undefined })];
  publish();
  for (const { socket } of clients) stream.leave(socket);
  publish();
  expect(clients.map(({ log }) => log)).toEqual([['1'], ['HELLO', '1']]);
});

test('[LB14][LB16] a client that connects after a time without clients and messages is sent what is posted then', () => {
  const { stream, publish, connect } = openStream();
  stream.trim();
  const clients = [connect({ version: 0 }), connect({ version: 1, resume: undefined })];
  publish();
  expect(clients.map(({ log }) => log)).toEqual([['1'], ['HELLO', '1']]);
});

test('[LB16][LB19] clients that know positions are disconnected if the stream does not continue from theirs', () => {
  const { publish, connect, breaks } = openStream();
  publish();
  publish('E', 2);
  publish();
  publish('F');
  publish('F');
  expect(breaks).toEqual([3, 5]);
  // What was before can no longer be sent.
  const { log } = connect(resuming(3));
  expect(log).toEqual(['HELLO']);
});

test('[LB24] a gateway that starts later sends nobody the messages that were removed before', async () => {
  const id = formatId({ seconds: 1, instanceId: 1, sequence: 1 });
  const d = { id, author: 'ada', content: '1', created_at: 1 };
  const events = [
    { op: 'MESSAGE_CREATE', d },
    { op: 'MESSAGE_DELETE', d: { id } },
  ];
  const kept = events.map((event, index) => ({
    delivery: { stream: 'lobby', epoch: 'E', position: index + 1, event },
    ageMs: 0,
  }));
  const { connect } = openStream(kept);
  const { log } = connect(resuming(0));
  await turn();
  expect(log).toEqual(['HELLO', 'MESSAGE_DELETE', 'MESSAGE_DELETE']);
});

test('[LA6][LA6b] a client that resumes is sent no text that was changed', async () => {
  const id = formatId({ seconds: 1, instanceId: 1, sequence: 1 });
  const d = { id, author: 'ada', content: '1', created_at: 1 };
  const events = [
    { op: 'MESSAGE_CREATE', d },
    { op: 'MESSAGE_UPDATE', d: { ...d, content: '2', edited_at: 2, version: 2 } },
  ];
  const kept = events.map((event, index) => ({
    delivery: { stream: 'lobby', epoch: 'E', position: index + 1, event },
    ageMs: 0,
  }));
  const { connect } = openStream(kept);
  const { log } = connect(resuming(0));
  await turn();
  expect(log).toEqual(['HELLO', '2', '2']);
});

test('[CO29][CO29a] a gateway that starts later sends nobody the events that name what was hidden before', () => {
  const events = [{}, { names: ['7', 'post'] }, {}].map((note, index) => ({
    delivery: {
      ...{ stream: 'lobby', epoch: 'E', position: index + 1 },
      event: { op: 'MESSAGE_CREATE', d: { id: String(index) }, note },
    },
    ageMs: 0,
  }));
  const end = { unless: {}, hides: ['post'] };
  const { stream } = openStream([
    ...events,
    { delivery: { stream: 'c:9', end: { everyone: true } }, ageMs: 0 },
    { delivery: { stream: 'r:9', end }, ageMs: 0 },
  ]);
  const canContinue = [0, 1, 2, 3].map((position) =>
    stream.hasAllAfter('lobby', { epoch: 'E', position }),
  );
  expect(canContinue).toEqual([false, false, true, true]);
});

test('[GC6][GC6a] a client that resumes is sent nothing of a channel that was deleted or hidden since', async () => {
  const message = (id: string, channel: string) => {
    const d = { id, channel_id: channel, author: 'ada', content: id };
    return { op: 'MESSAGE_CREATE', d };
  };
  const events = [
    { op: 'CHANNEL_CREATE', d: { id: '7', community_id: '1', name: 'plans' } },
    message('11', '7'),
    message('12', '8'),
    { op: 'REACTION_ADD', d: { channel_id: '7', message_id: '11', emoji: '🌱', count: 1 } },
    { op: 'CHANNEL_DELETE', d: { id: '7', community_id: '1' } },
    message('13', '8'),
  ];
  const { stream, follow } = openStream();
  const from = stream.headOf('c:1');
  for (const [index, event] of events.entries()) {
    stream.send({ stream: 'c:1', epoch: from.epoch, position: from.position + index + 1, event });
  }
  const { log } = follow('c:1', from);
  await turn();
  const removed = 'CHANNEL_DELETE';
  expect(log).toEqual([removed, removed, '12', removed, removed, '13']);
});

test('[CO29][CO29a] kept events that name what is hidden go with everything before them, in every stream', () => {
  const { stream } = openStream();
  const send = (name: string, event: BusEvent) => {
    const { epoch, position } = stream.headOf(name);
    stream.send({ stream: name, epoch, position: position + 1, event });
  };
  /** The first place of a stream that can be continued. */
  const firstPlace = (name: string) => {
    const { epoch, position: head } = stream.headOf(name);
    const places = Array.from({ length: head + 1 }, (_, position) => position);
    return places.find((position) => stream.hasAllAfter(name, { epoch, position }));
  };
  const streams = ['c:1', 'r:2', 'c:9'];
  for (const name of streams) {
    send(name, { op: 'MESSAGE_CREATE', d: { id: '10' } });
    send(name, { op: 'MESSAGE_CREATE', d: { id: '11' }, note: { names: ['7'] } });
    send(name, { op: 'MESSAGE_CREATE', d: { id: '12' }, note: { names: ['8', 'post'] } });
    send(name, { op: 'MESSAGE_CREATE', d: { id: '13' } });
  }
  send('c:1', { op: 'CHANNEL_DELETE', d: { id: '6' } });
  expect(streams.map(firstPlace)).toEqual([0, 0, 0]);
  send('c:1', { op: 'CHANNEL_DELETE', d: { id: '7' } });
  expect(streams.map(firstPlace)).toEqual([2, 2, 2]);
  stream.send({ stream: 'c:9', end: { unless: {}, hides: ['9', 'other'] } });
  expect(streams.map(firstPlace)).toEqual([2, 2, 2]);
  stream.send({ stream: 'c:9', end: { unless: {}, hides: ['9', 'post'] } });
  expect(streams.map(firstPlace)).toEqual([3, 3, 3]);
  send('c:9', { op: 'MESSAGE_CREATE', d: { id: '14' }, note: { names: ['post'] } });
  send('c:1', { op: 'CHANNEL_DELETE', d: { id: '5' }, note: { hides: ['post'] } });
  expect(firstPlace('c:9')).toBe(5);
});

test.each(['lobby', 'c:1'])(
  '[ST11][CM10] no client of %s is sent a note, also after a resume, or then what was edited or deleted',
  async (name) => {
    const { stream, connect, follow } = openStream();
    const start = stream.headOf(name);
    const send = (event: BusEvent) => {
      const { epoch, position } = stream.headOf(name);
      stream.send({ stream: name, epoch, position: position + 1, event });
    };
    /** Returns what clients are sent that continue from the beginning. */
    const resumed = async () => {
      const clients = [follow(name, start), ...(name === 'lobby' ? [connect(resuming(0))] : [])];
      await turn();
      return clients.map(({ texts }) => texts.join('\n'));
    };
    const live = [follow(name, start), connect({ version: 1, resume: undefined })];
    const message = (content: string) => ({ id: '11', author: 'ada', content });
    const quotes = { id: '11', member: 'reply_to' };
    const shown = { id: '11', author: 'ada', excerpt: 'first words' };
    const reply = { id: '12', author: 'max', content: 'yes', reply_to: shown };
    send({ op: 'MESSAGE_CREATE', d: message('first words'), note: { names: ['7'] } });
    send({ op: 'MESSAGE_CREATE', d: reply, note: { names: ['8'], quotes } });
    const edit = { names: ['9'], quoted: { excerpt: 'second words' } };
    send({ op: 'MESSAGE_UPDATE', d: message('second words'), note: edit });
    const edited = await resumed();
    send({ op: 'MESSAGE_UPDATE', d: { ...reply, content: 'no' }, note: { quotes, quoted: {} } });
    send({ op: 'MESSAGE_DELETE', d: { id: '11' }, note: { hides: ['6'] } });
    const removed = await resumed();
    for (const text of edited) {
      expect(text).toContain('"reply_to":{"id":"11","author":"ada","excerpt":"second words"}');
      expect(text).not.toContain('first words');
    }
    for (const text of removed) {
      expect(text.split('"reply_to":{"id":"11"}')).toHaveLength(3);
      expect(text).not.toMatch(/(first|second) words/);
    }
    for (const text of [...edited, ...removed, ...live.flatMap(({ texts }) => texts)])
      expect(text).not.toMatch(/"(note|names|hides|quotes|quoted)"/);
  },
);
