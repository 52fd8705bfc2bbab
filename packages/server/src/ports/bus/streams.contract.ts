import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { formatId } from '@hearth/protocol';
import {
  placesAfter,
  dataOf,
  message,
  numbered,
  Recorder,
} from '@hearth/testing/ports/bus-recorder';
import type {
  AccessEnd,
  Bus,
  BusFollower,
  BusStart,
  Delivery,
  EventDelivery,
  EventPublication,
  Heads,
  MostRemembered,
  StreamPosition,
} from './bus.ts';

/** Opens the engine under test with its own streams. */
export type OpenBus = (most?: MostRemembered) => Bus | Promise<Bus>;

/** Makes an event for a stream of the test. */
function made(stream: string, n: number | string): EventPublication {
  return { stream, event: { op: 'MADE_UP', d: { n } } };
}

const user = formatId({ seconds: 1, instanceId: 1, sequence: 1 });
const role = formatId({ seconds: 1, instanceId: 1, sequence: 2 });
const ENDS: readonly AccessEnd[] = [
  { user },
  { role },
  { everyone: true },
  {
    unless: {
      community: user,
      owner: user,
      roles: [[role, '1']],
      levels: [[['role', role, '1', '2']]],
    },
    hides: ['post'],
  },
];

/** A follower that keeps its heads up to date, as a gateway does. */
class HeadsKeeper implements BusFollower {
  heads: Heads | undefined;
  readonly taken: EventDelivery[] = [];

  begin({ heads }: BusStart): void {
    this.heads = heads;
  }

  take(delivery: Delivery): void {
    if (!('event' in delivery)) return;
    this.taken.push(delivery);
    this.heads?.set(delivery.stream, delivery);
  }

  at(stream: string): StreamPosition {
    if (this.heads === undefined) throw new Error('the follower has not begun yet');
    return this.heads.at(stream);
  }
}

/** Proves what every engine promises about many streams. */
export function streamsContract(name: string, open: OpenBus, { skip = false } = {}): void {
  describe.skipIf(skip)(`the streams of the ${name} bus`, () => {
    positionContract(open);
    memoryContract(open);
    endContract(open);
    numberContract(open);
  });
}

function positionContract(open: OpenBus): void {
  test('[ST1][ST2] each stream has its own positions that grow by one, in one order for all followers', async () => {
    await using bus = await open();
    const [first, second] = [new Recorder(), new Recorder()];
    const subscriptions = [await bus.subscribe(first), await bus.subscribe(second)];
    const streams = ['lobby', 'c:1', 'r:1', 'u:1'];
    const sent = numbered(200).map((n) => made(streams[Number(n) % 3] ?? 'u:1', n));
    await Promise.all(sent.map((each) => bus.publish(each)));
    await Promise.all(subscriptions.map((each) => each.current()));
    expect(first.taken.map(({ stream, event }) => ({ stream, event }))).toEqual(sent);
    expect(second.all).toEqual(first.all);
    for (const stream of streams) {
      const own = first.taken.filter((taken) => taken.stream === stream);
      const epoch = own[0]?.epoch ?? '';
      expect(own.map((taken) => ({ epoch: taken.epoch, position: taken.position }))).toEqual(
        placesAfter({ epoch, position: 0 }, own.length),
      );
    }
  });

  test('[ST1] a follower knows the positions of all streams, even of those without an event', async () => {
    await using bus = await open();
    for (const n of [1, 2, 3]) await bus.publish(made('c:1', n));
    await bus.append(message('hello'));
    const follower = new HeadsKeeper();
    const subscription = await bus.subscribe(follower);
    const unborn = follower.at('c:2');
    expect([follower.at('c:1').position, follower.at('lobby').position, unborn.position]).toEqual([
      ...[3, 1, 0],
    ]);
    await bus.publish(made('c:2', 1));
    await bus.publish(made('c:1', 4));
    await subscription.current();
    const places = follower.taken.map(({ epoch, position }) => ({ epoch, position }));
    expect(places[0]).toEqual({ epoch: unborn.epoch, position: 1 });
    expect(places[1]?.position).toBe(4);
    expect(follower.at('c:1')).toEqual(places[1] ?? unborn);
  });
}

const EVENTS = fc.array(fc.nat(9), { minLength: 1, maxLength: 80 });

function memoryContract(open: OpenBus): void {
  test('[ST3] if there are too many streams, the least recently used is forgotten and begins a new epoch', async () => {
    await using bus = await open({ streams: 2, subjects: 2 });
    const follower = new HeadsKeeper();
    const subscription = await bus.subscribe(follower);
    for (const stream of ['c:1', 'c:2', 'lobby', 'c:1', 'c:3', 'c:1', 'lobby', 'c:2']) {
      await bus.publish(made(stream, 0));
    }
    await subscription.current();
    const of = (stream: string) => follower.taken.filter((taken) => taken.stream === stream);
    expect(of('c:1').map(({ position }) => position)).toEqual([1, 2, 3]);
    expect(new Set(of('c:1').map(({ epoch }) => epoch)).size).toBe(1);
    expect(of('c:2').map(({ position }) => position)).toEqual([1, 1]);
    expect(new Set(of('c:2').map(({ epoch }) => epoch)).size).toBe(2);
    expect(of('lobby').map(({ position }) => position)).toEqual([1, 2]);
    expect(new Set(of('lobby').map(({ epoch }) => epoch)).size).toBe(1);
  });

  test('[ST3] a position never continues wrongly after streams were forgotten, and all followers know the same positions', async () => {
    await fc.assert(
      fc.asyncProperty(EVENTS, fc.integer({ min: 1, max: 4 }), async (numbers, streams) => {
        await using bus = await open({ streams, subjects: 1 });
        const early = new HeadsKeeper();
        const subscription = await bus.subscribe(early);
        const count = new Map<string, number>();
        /** Positions that a client was sent, with the number of events that it had been sent by then. */
        const sent: { stream: string; at: StreamPosition; had: number }[] = [];
        for (const [index, number] of numbers.entries()) {
          const stream = `c:${number}`;
          await bus.publish(made(stream, index));
          await subscription.current();
          count.set(stream, (count.get(stream) ?? 0) + 1);
          for (const other of ['c:0', 'c:1', stream]) {
            sent.push({ stream: other, at: early.at(other), had: count.get(other) ?? 0 });
          }
        }
        for (const { stream, at, had } of sent) {
          const now = early.at(stream);
          if (now.epoch !== at.epoch) continue;
          expect(now.position - at.position).toBe((count.get(stream) ?? 0) - had);
        }
        const late = new HeadsKeeper();
        await bus.subscribe(late);
        for (const number of numbers)
          expect(late.at(`c:${number}`)).toEqual(early.at(`c:${number}`));
        expect(late.at('c:new')).toEqual(early.at('c:new'));
      }),
      { numRuns: 15 },
    );
  });
}

function endContract(open: OpenBus): void {
  test('[ST5] control entries keep their place in the order and take no position', async () => {
    await using bus = await open();
    const [first, second] = [new Recorder(), new Recorder()];
    const subscriptions = [await bus.subscribe(first), await bus.subscribe(second)];
    const published = [
      bus.publish(made('c:1', 1)),
      ...ENDS.map((end) => bus.publish({ stream: 'c:1', end })),
      bus.publish(made('c:1', 2)),
      bus.publish({ stream: 'c:2', end: { everyone: true } }),
      bus.publish(made('c:2', 1)),
    ];
    await Promise.all(published);
    await Promise.all(subscriptions.map((each) => each.current()));
    const seen = first.all.map((each) => ('end' in each ? each.end : dataOf(each)['n']));
    expect(seen).toEqual([1, ...ENDS, 2, { everyone: true }, 1]);
    expect(first.taken.map(({ position }) => position)).toEqual([1, 2, 1]);
    expect(second.all).toEqual(first.all);
  });

  test('[ST5][CO29] a later follower begins with the control entries at their places among the kept events', async () => {
    await using bus = await open();
    const first = new Recorder();
    const subscription = await bus.subscribe(first);
    await bus.publish(made('c:1', 1));
    for (const end of ENDS) await bus.publish({ stream: 'c:2', end });
    await bus.publish(made('c:1', 2));
    await bus.publish({ stream: 'c:1', end: { everyone: true } });
    await subscription.current();
    const late = new Recorder();
    await bus.subscribe(late);
    const kept = late.starts[0]?.all ?? [];
    expect(kept).toEqual(first.all.slice(first.all.length - kept.length));
  });
}

const taken = { state: 'taken' } as const;
const had = { state: 'had' } as const;
const unknown = { state: 'unknown' } as const;

function numberContract(open: OpenBus): void {
  test('[ST8] numbers of a subject are accepted in order and once each, and missing ones are reported', async () => {
    await using bus = await open();
    const follower = new Recorder();
    const subscription = await bus.subscribe(follower);
    const publish = (number: number, after?: number) =>
      bus.publishNext(made('c:1', number), { subject: 'channel 1', number, after });
    expect(await publish(1)).toEqual(unknown);
    expect(await publish(3, 0)).toEqual({ state: 'missing', last: 0 });
    expect(await publish(1, 0)).toEqual(taken);
    expect(await publish(1)).toEqual(had);
    expect(await publish(1, 0)).toEqual(had);
    expect(await publish(4)).toEqual({ state: 'missing', last: 1 });
    expect([await publish(2), await publish(3), await publish(4)]).toEqual([taken, taken, taken]);
    // A value of `after` below what the bus knows changes nothing.
    expect(await publish(4, 3)).toEqual(had);
    expect(await publish(6, 2)).toEqual({ state: 'missing', last: 4 });
    const end = { stream: 'c:1', end: { user } };
    expect(await bus.publishNext(end, { subject: 'channel 1', number: 5 })).toEqual(taken);
    expect(await bus.publishNext(end, { subject: 'channel 1', number: 5 })).toEqual(had);
    expect(await publish(6)).toEqual(taken);
    await subscription.current();
    expect(follower.taken.map((each) => dataOf(each)['n'])).toEqual([1, 2, 3, 4, 6]);
    expect(follower.taken.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
    expect(follower.all).toHaveLength(6);
  });

  test('[ST8] subjects are numbered separately, even in one stream and with any names', async () => {
    await using bus = await open();
    const subjects = ['channel 1', 'channel 2', 'a  b\n', 'ü'];
    for (const subject of subjects) {
      for (const number of [7, 8]) {
        const place = { subject, number, after: 6 };
        expect(await bus.publishNext(made('c:1', number), place)).toEqual(taken);
      }
    }
    for (const subject of subjects) {
      expect(await bus.publishNext(made('c:1', 0), { subject, number: 8 })).toEqual(had);
    }
  });

  test('[ST9] if there are too many subjects, the least recently used is forgotten and then reported as unknown', async () => {
    await using bus = await open({ streams: 1, subjects: 2 });
    const follower = new Recorder();
    const subscription = await bus.subscribe(follower);
    const publish = (subject: string, number: number, after?: number) =>
      bus.publishNext(made('c:1', `${subject}${number}`), { subject, number, after });
    await publish('a', 1, 0);
    await publish('b', 1, 0);
    // A repeated number counts as a use, too.
    expect(await publish('a', 1)).toEqual(had);
    await publish('c', 1, 0);
    expect([await publish('a', 2), await publish('b', 2)]).toEqual([taken, unknown]);
    // The caller looks up that the number was published, and does not publish it again.
    expect(await publish('b', 1, 1)).toEqual(had);
    expect(await publish('b', 2)).toEqual(taken);
    await subscription.current();
    expect(follower.taken.map((each) => dataOf(each)['n'])).toEqual([
      ...['a1', 'b1', 'c1', 'a2', 'b2'],
    ]);
  });

  test('[ST9] a subject continues after numbers that the bus never saw if the publisher vouches for them', async () => {
    await using bus = await open();
    const follower = new Recorder();
    const subscription = await bus.subscribe(follower);
    const publish = (number: number, after?: number) =>
      bus.publishNext(made('c:1', number), { subject: 's', number, after });
    await publish(1, 0);
    expect(await publish(5)).toEqual({ state: 'missing', last: 1 });
    expect(await publish(5, 4)).toEqual(taken);
    expect(await publish(3, 2)).toEqual(had);
    expect(await publish(6)).toEqual(taken);
    await subscription.current();
    expect(follower.taken.map((each) => dataOf(each)['n'])).toEqual([1, 5, 6]);
  });

  test('[ST8][ST8a] numbers that many processes publish at the same time are accepted once each and in order', async () => {
    await using bus = await open();
    const follower = new Recorder();
    const subscription = await bus.subscribe(follower);
    await bus.publishNext(made('c:1', 1), { subject: 's', number: 1, after: 0 });
    const offers = [3, 2, 2, 5, 3, 4, 4, 5, 3, 4, 5].map((number) =>
      bus.publishNext(made('c:1', number), { subject: 's', number }),
    );
    const verdicts = await Promise.all(offers);
    await subscription.current();
    const numbers = follower.taken.map((each) => dataOf(each)['n']);
    expect(numbers).toEqual([1, 2, 3, 4, 5]);
    expect(verdicts.filter(({ state }) => state === 'taken')).toHaveLength(4);
    expect(verdicts[0]).toEqual({ state: 'missing', last: 1 });
    expect(verdicts.slice(2, 4)).toEqual([had, { state: 'missing', last: 2 }]);
  });
}
