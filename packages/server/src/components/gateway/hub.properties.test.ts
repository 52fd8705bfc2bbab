import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { formatId, type Id } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { countedIds } from '@hearth/testing/ports/id-source';
import type { AccessEnd, Bus, BusStart, Delivery, StreamPosition } from '../../ports/bus/bus.ts';
import { memoryBus } from '../../ports/bus/memory.ts';
import { newConnection, type ConnectionSocket } from './connection.ts';
import { Streams } from './streams.ts';

const STREAMS = ['c:0', 'c:1', 'c:2'];
const PAUSE_ABOVE_BYTES = 60;
const user = (client: number) => formatId({ seconds: 1, instanceId: 1, sequence: client });
const role = (number: number) => formatId({ seconds: 2, instanceId: 1, sequence: number });

type Step =
  | { readonly kind: 'publish'; readonly stream: number; readonly count: number }
  | { readonly kind: 'open' | 'resume' | 'close'; readonly client: number; readonly stream: number }
  | { readonly kind: 'stop reading' | 'read' | 'leave'; readonly client: number }
  | { readonly kind: 'end'; readonly stream: number; readonly whom: AccessEnd }
  | { readonly kind: 'turn' | 'trim' };

const client = fc.nat(3);
const stream = fc.nat(STREAMS.length - 1);
const whom: fc.Arbitrary<AccessEnd> = fc.oneof(
  client.map((index) => ({ user: user(index) })),
  fc.nat(1).map((index) => ({ role: role(index) })),
  fc.constant({ everyone: true } as const),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('publish'),
      stream,
      count: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('open', 'resume'), client, stream }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close'), client, stream }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('stop reading', 'read'), client }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave'), client }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('end'), stream, whom }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('turn') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('trim') }) },
);

interface Payload {
  readonly op: string;
  readonly t?: string;
  readonly s?: number;
  readonly d: { readonly stream?: string; readonly epoch?: string; readonly s?: number };
}

/** One visit of a client to a stream, as the test expects it. */
interface Visit {
  readonly from: number;
  /** The last event that it may have, if its access has ended. */
  end: number | undefined;
}

/** A client with a simulated socket. */
class Client {
  readonly log: Payload[] = [];
  readonly visits = new Map<string, Visit[]>();
  readonly socket: ConnectionSocket;
  readonly user: Id;
  readonly roles: readonly Id[];
  reads = true;
  waiting = 0;

  constructor(index: number, followers: (topic: string) => Set<ConnectionSocket>) {
    this.user = user(index);
    this.roles = [role(index % 2)];
    this.socket = {
      data: newConnection(
        { client: '192.0.2.1', accessCode: undefined, profile: { version: 0 } },
        0,
      ),
      send: (text) => {
        this.log.push(JSON.parse(text));
        if (!this.reads) this.waiting += text.length;
      },
      close: () => {},
      terminate: () => {},
      subscribe: (topic) => followers(topic).add(this.socket),
      unsubscribe: (topic) => followers(topic).delete(this.socket),
      cork: (run) => run(),
      getBufferedAmount: () => this.waiting,
    };
  }

  visit(name: string): Visit | undefined {
    const last = this.visits.get(name)?.at(-1);
    return last?.end === undefined ? last : undefined;
  }
}

/** A gateway's streams on a bus, with simulated clients. */
class Stage {
  readonly bus: Bus = memoryBus({ ids: countedIds(), journaled: 'lobby', keep: () => {} });
  readonly #followers = new Map<string, Set<ConnectionSocket>>();
  readonly clients = [0, 1, 2, 3].map((index) => new Client(index, (topic) => this.#of(topic)));
  readonly heads = new Map<string, StreamPosition>();
  #streams: Streams | undefined;

  async open(events: number): Promise<void> {
    await this.bus.subscribe({
      begin: (start) => (this.#streams = this.#open(start, events)),
      take: (delivery) => this.#take(delivery),
    });
  }

  async run(next: Step): Promise<void> {
    switch (next.kind) {
      case 'publish':
        for (let count = 0; count < next.count; count += 1) {
          await this.bus.publish({ stream: nameOf(next.stream), event: { op: 'X', d: {} } });
        }
        return;
      case 'open':
      case 'resume':
        return this.#visit(this.#client(next.client), nameOf(next.stream), next.kind === 'resume');
      case 'close': {
        const visit = this.#client(next.client).visit(nameOf(next.stream));
        if (visit !== undefined) visit.end = this.#position(nameOf(next.stream));
        return this.#hub.close(this.#client(next.client).socket, nameOf(next.stream));
      }
      case 'stop reading':
        this.#client(next.client).reads = false;
        return;
      case 'read':
        this.#client(next.client).reads = true;
        this.#client(next.client).waiting = 0;
        return this.#streams?.resume(this.#client(next.client).socket);
      case 'leave':
        return this.#leave(this.#client(next.client));
      case 'end':
        return void (await this.bus.publish({ stream: nameOf(next.stream), end: next.whom }));
      case 'trim':
        return this.#streams?.trim();
      case 'turn':
        await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Lets everyone read until nothing is left. */
  async settle(): Promise<void> {
    for (const [index] of this.clients.entries()) await this.run({ kind: 'read', client: index });
    for (let turns = 0; turns < 20; turns += 1) await this.run({ kind: 'turn' });
  }

  get #hub() {
    if (this.#streams === undefined) throw new Error('not open');
    return this.#streams.hub;
  }

  #open(start: BusStart, events: number): Streams {
    return new Streams({
      servers: {
        publish: (topic, text) => this.#of(topic).forEach((socket) => socket.send(text)),
        hasSubscribers: (topic) => this.#of(topic).size > 0,
      },
      clock: fakeClock(),
      isLobbyOpen: true,
      audienceTest: () => () => false,
      bounds: { events, minutes: 10, bytes: 1_000_000 },
      start,
      pauseAboveBytes: PAUSE_ABOVE_BYTES,
      pauseAllAboveBytes: Infinity,
      sweepAfterBytes: 1e9,
      onBreak: () => {},
      giveUp: (socket) => {
        const slow = this.clients.find((each) => each.socket === socket);
        // The events that are still missing were kept.
        if (slow === undefined || slow.waiting <= PAUSE_ABOVE_BYTES) throw new Error('given up');
        this.#leave(slow);
      },
    });
  }

  #leave(each: Client): void {
    this.#streams?.leave(each.socket);
    each.log.length = 0;
    each.visits.clear();
  }

  #take(delivery: Delivery): void {
    if ('end' in delivery) {
      for (const each of this.clients) {
        const visit = each.visit(delivery.stream);
        if (visit !== undefined && isNamed(each, delivery.end)) {
          visit.end = this.#position(delivery.stream);
        }
      }
    } else this.heads.set(delivery.stream, delivery);
    this.#streams?.send(delivery);
  }

  #visit(each: Client, name: string, isResuming: boolean): void {
    if (each.visit(name) !== undefined) return;
    const head = this.heads.get(name);
    const from = { epoch: head?.epoch ?? '', position: Math.max(0, this.#position(name) - 7) };
    const access = { user: each.user, roles: each.roles };
    const isContinued = this.#hub.open(each.socket, {
      ...{ stream: name, access },
      ...(isResuming && head !== undefined && { from }),
    });
    // It was given up: see above.
    if (each.log.length === 0) return;
    const visit = { from: isContinued ? from.position : this.#position(name), end: undefined };
    each.visits.getOrInsertComputed(name, () => []).push(visit);
  }

  #position(name: string): number {
    return this.heads.get(name)?.position ?? 0;
  }

  #client(index: number): Client {
    const found = this.clients[index];
    if (found === undefined) throw new Error(`there is no client ${index}`);
    return found;
  }

  #of(topic: string): Set<ConnectionSocket> {
    return this.#followers.getOrInsertComputed(topic, () => new Set());
  }
}

const nameOf = (index: number) => STREAMS[index] ?? 'c:0';

function isNamed({ user: own, roles }: Client, end: AccessEnd): boolean {
  if ('user' in end) return end.user === own;
  return 'role' in end ? roles.includes(end.role) : true;
}

/** Returns what a client has to be sent of a stream in its visits. */
function expected(visits: readonly Visit[], head: number): string[] {
  return visits.flatMap(({ from, end }) => {
    const events = Array.from({ length: (end ?? head) - from }, (_, i) => `${from + 1 + i}`);
    return [`open ${from}`, ...events, ...(end === undefined ? [] : ['close'])];
  });
}

function sent(log: readonly Payload[], name: string): string[] {
  return log
    .filter(({ t, d }) => (t ?? d.stream) === name)
    .map(({ op, s, d }) => {
      if (op === 'STREAM_OPEN') return `open ${d.s}`;
      return op === 'STREAM_CLOSE' ? 'close' : `${s}`;
    });
}

test('[ST5][ST6][ST7][ST11] whatever happens, a client is sent each stream from its opening to the end of its access, and no more', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 50, size: 'max' }), async (steps) => {
      const stage = new Stage();
      await stage.open(1_000);
      for (const next of steps) await stage.run(next);
      await stage.settle();
      for (const { log, visits } of stage.clients) {
        for (const name of STREAMS) {
          const head = stage.heads.get(name)?.position ?? 0;
          expect(sent(log, name)).toEqual(expected(visits.get(name) ?? [], head));
        }
      }
    }),
    { numRuns: 150 },
  );
});
