import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ReplayBounds } from '../../ports/bus/bus.ts';
import type { CatchUpStream } from './catch-up-place.ts';
import { CatchUp } from './catch-up.ts';
import { newConnection, type ConnectionSocket } from './connection.ts';
import { DOCUMENTED_PROFILE } from '@hearth/protocol';
import { Replay, type ReplayBuffer } from './replay-buffer.ts';

const EVENT = { op: 'MESSAGE_CREATE', d: {} };

const PAUSE_ABOVE_BYTES = 100;
const LARGEST_EVENT_BYTES = 60;
const EVENTS_A_TURN = 2_048;
const EVENTS_AT_A_TIME = 128;
const MINUTE_MS = 60_000;

/** A client as the catch-up sees it; its log has what it was sent. */
interface Client {
  readonly socket: ConnectionSocket;
  /** Positions of the events that it was sent, while catching up or live. */
  readonly log: number[];
  readonly startedAt: number;
  fate: 'catching up' | 'follows' | 'finished' | 'given up' | 'ended';
  waitingBytes: number;
  reads: boolean;
}

/** A stream with clients that are catching up. The test runs the turns of the event loop. */
class Stage {
  readonly replay: ReplayBuffer;
  readonly clients: Client[] = [];
  readonly catchUp: CatchUp<CatchUpStream>;
  readonly turns: (() => void)[] = [];
  #now = 0;
  #only: CatchUpStream | undefined;

  constructor(
    bounds: Partial<ReplayBounds> = {},
    { pauseAboveBytes = PAUSE_ABOVE_BYTES, pauseAllAboveBytes = Infinity } = {},
  ) {
    const replay = new Replay(
      { events: 100_000, minutes: 1_000, bytes: 1e9, ...bounds },
      { monotonicMs: () => this.#now },
    );
    this.replay = replay.open({ epoch: 'E', position: 0 });
    this.catchUp = new CatchUp({
      clock: { monotonicMs: () => this.#now },
      pauseAboveBytes,
      pauseAllAboveBytes,
      textFor: (_socket, _stream, text) => text,
      finish: (socket) => this.#finish(this.#clientOf(socket)),
      follow: (socket) => this.#follow(this.#clientOf(socket)),
      giveUp: (socket) => this.#giveUp(this.#clientOf(socket)),
      nextTurn: (run) => void this.turns.push(run),
    });
  }

  get #stream(): CatchUpStream {
    return (this.#only ??= { buffer: this.replay });
  }

  get head(): number {
    return this.replay.head.position;
  }

  /** Adds an event, which followers are sent. */
  publish(bytes = 1): void {
    const position = this.head + 1;
    const text = String(position).padEnd(bytes);
    this.replay.push({ epoch: 'E', position }, { event: EVENT, text, bytes });
    for (const client of this.clients) if (client.fate === 'follows') client.log.push(position);
  }

  connect(startedAt: number, reads = true): Client {
    const client: Client = {
      socket: this.#socket((text) => {
        client.log.push(Number(text));
        if (!client.reads) client.waitingBytes += text.length;
      }),
      log: [],
      startedAt,
      fate: 'catching up',
      waitingBytes: 0,
      reads,
    };
    this.clients.push(client);
    this.catchUp.begin(client.socket, this.#stream, startedAt);
    return client;
  }

  read(client: Client): void {
    client.waitingBytes = 0;
    this.catchUp.resume(client.socket);
  }

  end(client: Client): void {
    client.fate = 'ended';
    this.catchUp.end(client.socket);
  }

  turn(): void {
    this.turns.shift()?.();
  }

  turnUntilIdle(): void {
    for (let turns = 0; this.turns.length > 0; turns += 1) {
      expect(turns).toBeLessThan(1_000);
      this.turn();
    }
  }

  pass(ms: number): void {
    this.#now += ms;
    this.replay.trim();
    this.catchUp.giveUpLate();
  }

  /** Checks what every client has by now: an unbroken sequence from where it was, and all of it if it follows. */
  check(): void {
    for (const { log, startedAt, fate } of this.clients) {
      expect(log).toEqual(log.map((_, index) => startedAt + 1 + index));
      if (fate === 'follows') expect(startedAt + log.length).toBe(this.head);
    }
  }

  #follow(client: Client): void {
    expect(client.fate).toBe('catching up');
    expect(client.startedAt + client.log.length).toBe(this.head);
    client.fate = 'follows';
  }

  #finish(client: Client): void {
    expect(client.fate).toBe('catching up');
    client.fate = 'finished';
  }

  #giveUp(client: Client): void {
    expect(client.fate).toBe('catching up');
    // There was no other way, or it did not read.
    const isLost = this.replay.at(client.startedAt + client.log.length + 1) === undefined;
    expect(isLost || client.waitingBytes > PAUSE_ABOVE_BYTES).toBe(true);
    this.end(client);
    client.fate = 'given up';
  }

  #clientOf(socket: ConnectionSocket): Client {
    const client = this.clients.find((each) => each.socket === socket);
    if (client === undefined) throw new Error('no client of this stage');
    return client;
  }

  #socket(onSend: (text: string) => void): ConnectionSocket {
    const stranger = () => {
      throw new Error('not for the catch-up to do');
    };
    const connecting = {
      client: '192.0.2.1',
      accessCode: undefined,
      profile: { version: DOCUMENTED_PROFILE },
    } as const;
    const socket: ConnectionSocket = {
      data: newConnection(connecting, 0),
      send: (text) => {
        expect(this.#clientOf(socket).fate).toBe('catching up');
        onSend(text);
      },
      close: stranger,
      terminate: stranger,
      subscribe: stranger,
      unsubscribe: stranger,
      cork: (run) => run(),
      getBufferedAmount: () => this.#clientOf(socket).waitingBytes,
    };
    return socket;
  }
}

type Step =
  | { readonly kind: 'publish'; readonly bytes: number }
  | { readonly kind: 'connect'; readonly missing: number; readonly reads: boolean }
  | { readonly kind: 'read' | 'end' | 'reads' | 'stops'; readonly client: number }
  | { readonly kind: 'turn' }
  | { readonly kind: 'time'; readonly ms: number };

const client = fc.nat(7);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('publish'),
      bytes: fc.integer({ min: 4, max: LARGEST_EVENT_BYTES }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('connect'),
      missing: fc.nat(12),
      reads: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('read', 'reads', 'stops'), client }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end'), client }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('turn') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('time'), ms: fc.nat(MINUTE_MS) }) },
);

function run(stage: Stage, each: Step): void {
  switch (each.kind) {
    case 'publish':
      return stage.publish(each.bytes);
    case 'connect': {
      const startedAt = Math.max(0, stage.head - each.missing);
      // A client that cannot continue from there does not catch up.
      if (stage.replay.hasAllAfter({ epoch: 'E', position: startedAt }))
        stage.connect(startedAt, each.reads);
      return;
    }
    case 'turn':
      return stage.turn();
    case 'time':
      return stage.pass(each.ms);
    case 'read':
    case 'end':
    case 'reads':
    case 'stops':
      return runOn(stage, stage.clients[each.client], each.kind);
  }
}

function runOn(
  stage: Stage,
  one: Client | undefined,
  kind: 'read' | 'end' | 'reads' | 'stops',
): void {
  if (one === undefined) return;
  if (kind === 'read') return stage.read(one);
  if (kind === 'end') return stage.end(one);
  one.reads = kind === 'reads';
  if (one.reads) stage.read(one);
}

test('[LB16][LB18][LB21] whatever clients do, each gets every event once and in order, or is closed because that is impossible', () => {
  fc.assert(
    fc.property(
      fc.record({
        events: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constant(1_000)),
        minutes: fc.integer({ min: 1, max: 3 }),
        bytes: fc.oneof(fc.integer({ min: 0, max: 600 }), fc.constant(1e6)),
      }),
      fc.array(step, { maxLength: 100, size: 'max' }),
      (bounds, steps) => {
        const stage = new Stage(bounds);
        for (const each of steps) {
          run(stage, each);
          stage.check();
          for (const { waitingBytes } of stage.clients)
            expect(waitingBytes).toBeLessThanOrEqual(PAUSE_ABOVE_BYTES + LARGEST_EVENT_BYTES);
        }
        for (const each of stage.clients) runOn(stage, each, 'reads');
        stage.turnUntilIdle();
        stage.check();
        expect(stage.clients.filter(({ fate }) => fate === 'catching up')).toEqual([]);
      },
    ),
    { numRuns: 400 },
  );
});

test('[LB18] a client that has every event follows at once, however few are kept', () => {
  const stage = new Stage({ events: 0 });
  for (let count = 0; count < 3; count += 1) stage.publish();
  const back = stage.connect(3);
  stage.publish();
  stage.turnUntilIdle();
  expect([back.fate, back.log]).toEqual(['follows', [4]]);
});

test('[LB16][LB21] events that happen during a long catch-up are neither missed nor sent twice', () => {
  const stage = new Stage();
  for (let count = 0; count < 5_000; count += 1) stage.publish();
  const late = stage.connect(7);
  while (stage.turns.length > 0) {
    for (let count = 0; count < 50; count += 1) stage.publish();
    stage.turn();
  }
  expect(late.fate).toBe('follows');
  for (let count = 0; count < 3; count += 1) stage.publish();
  stage.check();
  expect(late.log.at(-1)).toBe(stage.head);
});

test('[LB21] a slow reader is sent no more than may wait for it, and continues when it has read', () => {
  const stage = new Stage();
  for (let count = 0; count < 20; count += 1) stage.publish(40);
  const slow = stage.connect(0, false);
  stage.turnUntilIdle();
  expect(slow.log).toEqual([1, 2, 3]);
  // It waits for the reader and not for its turn.
  expect(stage.turns).toHaveLength(0);
  stage.publish(40);
  expect(stage.turns).toHaveLength(0);
  slow.waitingBytes = PAUSE_ABOVE_BYTES + 1;
  stage.catchUp.resume(slow.socket);
  stage.turnUntilIdle();
  expect(slow.log).toEqual([1, 2, 3]);
  stage.read(slow);
  stage.turnUntilIdle();
  expect(slow.log).toEqual([1, 2, 3, 4, 5, 6]);
  slow.reads = true;
  stage.read(slow);
  stage.turnUntilIdle();
  expect(slow.fate).toBe('follows');
  stage.check();
});

test('[LB21] clients that catch up share every turn, and together take a bounded part of it', () => {
  const stage = new Stage();
  for (let count = 0; count < 3_000; count += 1) stage.publish();
  const many = Array.from({ length: 30 }, () => stage.connect(0));
  const sent = () => many.reduce((sum, { log }) => sum + log.length, 0);
  while (stage.turns.length > 0) {
    const before = sent();
    stage.turn();
    expect(stage.turns.length).toBeLessThanOrEqual(1);
    expect(sent() - before).toBeLessThan(EVENTS_A_TURN + EVENTS_AT_A_TIME);
    const counts = many.map(({ log }) => log.length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(EVENTS_AT_A_TIME);
  }
  expect(new Set(many.map(({ fate }) => fate))).toEqual(new Set(['follows']));
  stage.check();
});

test('[LB21] thousands of clients that do not read also take no more than their part of a turn', () => {
  const stage = new Stage();
  for (let count = 0; count < 10; count += 1) stage.publish(60);
  for (let count = 0; count < 3 * EVENTS_A_TURN; count += 1) stage.connect(0, false);
  const slow = stage.clients;
  stage.turnUntilIdle();
  for (const each of slow) stage.catchUp.resume(each.socket);
  let looks = 0;
  for (const each of slow) {
    each.socket.getBufferedAmount = () => {
      looks += 1;
      return PAUSE_ABOVE_BYTES + 1;
    };
  }
  stage.turn();
  expect(looks).toBeLessThanOrEqual(3 * EVENTS_A_TURN);
  expect(stage.turns).toHaveLength(1);
});

test('[LB21] a client that needs events which are no longer kept is closed, whether it reads again or not, and the others are not', () => {
  const stage = new Stage({ events: 10 });
  for (let count = 0; count < 10; count += 1) stage.publish(40);
  const reading = stage.connect(0);
  const [late, never] = [stage.connect(0, false), stage.connect(0, false)];
  stage.turnUntilIdle();
  expect([late.log, never.log]).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
  for (let count = 0; count < 3; count += 1) stage.publish(40);
  stage.pass(0);
  expect([late.fate, never.fate]).toEqual(['catching up', 'catching up']);
  stage.publish(40);
  late.reads = true;
  stage.read(late);
  stage.turnUntilIdle();
  expect([late.fate, never.fate]).toEqual(['given up', 'catching up']);
  stage.pass(0);
  expect(never.fate).toBe('given up');
  stage.read(never);
  stage.turnUntilIdle();
  expect([late.log, never.log]).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
  expect(reading.fate).toBe('follows');
  stage.check();
});

test('[LB20][LB21] a client that needs an event which is too old is closed as soon as the event is discarded', () => {
  const stage = new Stage({ minutes: 1 });
  for (let count = 0; count < 10; count += 1) stage.publish(40);
  const slow = stage.connect(0, false);
  stage.turnUntilIdle();
  for (const ms of [30_000, 30_000]) {
    stage.pass(ms);
    expect(slow.fate).toBe('catching up');
    // It reads, and when it stops again it has as much left to read as before.
    stage.catchUp.resume(slow.socket);
    stage.turnUntilIdle();
  }
  stage.pass(1);
  expect(slow.fate).toBe('given up');
});

test('[LB21] a client that reads nothing for 30 seconds is closed, and another is not', () => {
  const stage = new Stage();
  for (let count = 0; count < 10; count += 1) stage.publish(40);
  const [silent, slow] = [stage.connect(0, false), stage.connect(0, false)];
  stage.turnUntilIdle();
  stage.pass(20_000);
  stage.read(slow);
  stage.turnUntilIdle();
  stage.pass(10_000);
  expect([silent.fate, slow.fate]).toEqual(['catching up', 'catching up']);
  stage.pass(1);
  expect([silent.fate, slow.fate]).toEqual(['given up', 'catching up']);
  stage.check();
});

test('[LB21] large events take more of a turn than small ones', () => {
  const stage = new Stage();
  for (let count = 0; count < 200; count += 1) stage.publish(16 * 1024);
  const clients = Array.from({ length: 40 }, () => stage.connect(0));
  stage.turn();
  const sent = clients.reduce((sum, { log }) => sum + log.length, 0);
  expect(sent).toBeGreaterThan(0);
  // Half a million characters, and what one client is sent at a time.
  expect(sent).toBeLessThanOrEqual(34);
  stage.turnUntilIdle();
  for (const { fate } of clients) expect(fate).toBe('follows');
  stage.check();
});

test('[LB21] a client that has left is sent nothing more, at any position', () => {
  const stage = new Stage();
  for (let count = 0; count < 300; count += 1) stage.publish(40);
  const [early, midway, paused] = [stage.connect(0), stage.connect(0), stage.connect(0, false)];
  stage.end(early);
  for (let count = 0; count < 20; count += 1) stage.connect(0);
  stage.turn();
  stage.end(midway);
  stage.end(paused);
  const logs = [early, midway, paused].map(({ log }) => log.length);
  for (const each of [early, midway, paused]) stage.read(each);
  stage.turnUntilIdle();
  stage.pass(1_000 * MINUTE_MS + 1);
  expect([early, midway, paused].map(({ log }) => log.length)).toEqual(logs);
  expect(logs).toEqual([0, EVENTS_AT_A_TIME, 3]);
  expect([early, midway, paused].map(({ fate }) => fate)).toEqual(['ended', 'ended', 'ended']);
});

test('[GW21] clients that catch up and never read use no more memory together than their share, and a little each', () => {
  const KIB = 1_024;
  const [each, all, least, overshoot] = [64 * KIB, 1_024 * KIB, 4 * KIB, KIB] as const;
  const waitingFor = (count: number) => {
    const stage = new Stage({}, { pauseAboveBytes: each, pauseAllAboveBytes: all });
    for (let i = 0; i < 100; i += 1) stage.publish(1_024);
    for (let i = 0; i < count; i += 1) stage.connect(0, false);
    stage.turnUntilIdle();
    return stage.clients.reduce((sum, { waitingBytes }) => sum + waitingBytes, 0);
  };
  expect(waitingFor(4)).toBeWithin(4 * each, 4 * (each + overshoot) + 1);
  expect(waitingFor(64)).toBeWithin(all, all + 64 * overshoot + 1);
  expect(waitingFor(1_000)).toBeWithin(1_000 * least, 1_000 * (least + overshoot) + 1);
});
