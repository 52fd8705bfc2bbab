import { describe, expect, test } from 'bun:test';
import { compareIds, type Id } from '@hearth/protocol';
import {
  placesAfter,
  contentOf,
  numbered,
  message,
  Recorder,
  dataOf,
  idOf,
} from '@hearth/testing/ports/bus-recorder';
import type { Bus, BusFollower, Delivery, Subscription } from './bus.ts';
import { streamsContract, type OpenBus } from './streams.contract.ts';

/** Proves what every engine of the bus promises, including one that delivers after `publish` has returned. */
export function busContract(name: string, open: OpenBus, { skip = false } = {}): void {
  describe.skipIf(skip)(`the ${name} bus`, () => {
    deliveryContract(open);
    orderContract(open);
    positionContract(open);
    failureContract(open);
    lifeContract(open);
    keyContract(open);
  });
  streamsContract(name, open, { skip });
}

function deliveryContract(open: OpenBus): void {
  test('every follower receives a publication once and unchanged', async () => {
    await using bus = await open();
    const followers = [new Recorder(), new Recorder(), new Recorder()];
    const subscriptions = await followAll(bus, followers);
    const sent = message('grüße 👋 "quoted" \u0000 \u2028 \ud800', 'nonce of the poster');
    await bus.append(sent);
    await current(subscriptions);
    const d = { ...sent.d, id: expect.stringMatching(/^\d+$/) };
    const places = { epoch: expect.any(String), position: expect.any(Number) };
    const taken: Delivery = { stream: 'lobby', event: { op: 'MESSAGE_CREATE', d }, ...places };
    for (const follower of followers) expect(follower.taken).toEqual([taken]);
  });

  test('[ST11] the note of an event comes with it, and beside its data', async () => {
    await using bus = await open();
    const follower = new Recorder();
    const subscription = await bus.subscribe(follower);
    const note = { names: ['1', 'a post'], quotes: { id: '2', member: 'reply_to' }, quoted: {} };
    const events = [
      { op: 'MESSAGE_UPDATE', d: { id: '3' }, note },
      { op: 'MESSAGE_UPDATE', d: { id: '3', note: { names: ['4'] } } },
    ];
    for (const event of events) await bus.publish({ stream: 'c:1', event });
    await subscription.current();
    expect(follower.taken.map(({ event }) => event)).toEqual(events);
  });

  test('[MO7] an appended event gets an identifier, which is returned, as the first member of its data, and nothing else changes', async () => {
    await using bus = await open();
    const follower = new Recorder();
    const subscription = await bus.subscribe(follower);
    const nonces = [undefined, '', 'n', '\ud800'];
    const ids: unknown[] = [];
    for (const nonce of nonces) ids.push(await bus.append(message('here', nonce)));
    await subscription.current();
    expect(follower.taken.map((taken) => dataOf(taken)['id'])).toEqual(ids);
    const members = follower.taken.map(({ event }) => Object.keys(event.d));
    const without = ['id', 'author', 'content', 'created_at'];
    const withNonce = [...without, 'nonce'];
    expect(members).toEqual([without, withNonce, withNonce, withNonce]);
    expect(follower.taken.map((taken) => dataOf(taken)['nonce'])).toEqual(nonces);
  });

  test('[MO7] an appended event has no note, because the journal keeps its data alone', async () => {
    await using bus = await open();
    const follower = new Recorder();
    const subscription = await bus.subscribe(follower);
    const noted = { ...message('here'), note: { names: ['1'] } };
    // The types do not allow it.
    const id = await bus.append(noted as never);
    await subscription.current();
    const { op, d } = message('here');
    expect(follower.taken.map(({ event }) => event)).toEqual([{ op, d: { id, ...d } }]);
  });

  test('events from before a follower subscribed are never delivered to it', async () => {
    await using bus = await open();
    await bus.append(message('missed'));
    const follower = new Recorder();
    const subscription = await bus.subscribe(follower);
    await bus.append(message('heard'));
    await subscription.current();
    expect(follower.contents).toEqual(['heard']);
  });

  test('a follower that was added twice receives every publication twice, until one of the two is removed', async () => {
    await using bus = await open();
    const follower = new Recorder();
    const [one, other] = [await bus.subscribe(follower), await bus.subscribe(follower)];
    await bus.append(message('twice'));
    await current([one, other]);
    one.unsubscribe();
    await bus.append(message('once'));
    await other.current();
    other.unsubscribe();
    await bus.append(message('never'));
    await current([await bus.subscribe(new Recorder())]);
    expect(follower.contents).toEqual(['twice', 'twice', 'once']);
  });
}

function orderContract(open: OpenBus): void {
  test('publications are delivered in the order of the calls to publish, even if the calls do not wait for each other', async () => {
    await using bus = await open();
    const [first, second] = [new Recorder(), new Recorder()];
    const subscriptions = await followAll(bus, [first, second]);
    const contents = numbered(500);
    await Promise.all(contents.map((content) => bus.append(message(content))));
    await current(subscriptions);
    expect([first.contents, second.contents]).toEqual([contents, contents]);
  });

  test('identifiers grow in the order of the publications and never repeat', async () => {
    await using bus = await open();
    const follower = new Recorder();
    const subscription = await bus.subscribe(follower);
    await Promise.all(numbered(500).map((content) => bus.append(message(content))));
    await subscription.current();
    const ids = follower.taken.map(idOf);
    expect(ids).toHaveLength(500);
    expect(ids.every((id, i) => isGreater(id, ids[i - 1]))).toBe(true);
  });

  test('a slow follower does not change the order for another', async () => {
    await using bus = await open();
    const follower = new Recorder();
    const gates = numbered(20).map(() => Promise.withResolvers<void>());
    const slow = new Recorder((taken) => gates[Number(contentOf(taken))]?.promise);
    const subscriptions = await followAll(bus, [slow, follower]);
    const published = numbered(20).map((content) => bus.append(message(content)));
    for (const gate of gates.toReversed()) gate.resolve();
    await Promise.all(published);
    await current(subscriptions);
    expect([slow.contents, follower.contents]).toEqual([numbered(20), numbered(20)]);
  });

  test('all followers see one order if a follower publishes', async () => {
    await using bus = await open();
    const [before, after] = [new Recorder(), new Recorder()];
    const echoed = Promise.withResolvers<unknown>();
    const echoing = new Recorder((taken) => {
      if (contentOf(taken) === 'call') echoed.resolve(Promise.resolve(bus.append(message('echo'))));
    });
    const subscriptions = await followAll(bus, [before, echoing, after]);
    await bus.append(message('call'));
    await echoed.promise;
    await current(subscriptions);
    expect([before.contents, after.contents]).toEqual([
      ['call', 'echo'],
      ['call', 'echo'],
    ]);
  });
}

function positionContract(open: OpenBus): void {
  test('[LB16] positions grow by one in the order of the calls, and are the same for all followers', async () => {
    await using bus = await open();
    const [first, second] = [new Recorder(), new Recorder()];
    const [staying, leaving] = [await bus.subscribe(first), await bus.subscribe(second)];
    await Promise.all(numbered(100).map((content) => bus.append(message(content))));
    await current([staying, leaving]);
    expect(first.contents).toEqual(numbered(100));
    expect(first.places).toEqual(placesAfter(first.startedAt, 100));
    expect(second.places).toEqual(first.places);
    leaving.unsubscribe();
    await bus.append(message('to one alone'));
    await staying.current();
    expect(first.places).toEqual(placesAfter(first.startedAt, 101));
  });

  test('[LB16] events without a follower are counted, and a follower begins at the position before its first delivery', async () => {
    await using bus = await open();
    const begin = new Recorder();
    (await bus.subscribe(begin)).unsubscribe();
    for (const content of ['one', 'two']) await bus.append(message(content));
    const { epoch, position } = begin.startedAt;
    for (const count of [1, 2, 3]) {
      const follower = new Recorder();
      const subscription = await bus.subscribe(follower);
      expect(follower.startedAt).toEqual({ epoch, position: position + 1 + count });
      await bus.append(message('heard'));
      await subscription.current();
      expect(follower.places).toEqual(placesAfter(follower.startedAt, 1));
      expect(follower.starts).toHaveLength(1);
      subscription.unsubscribe();
    }
  });

  test('[LB16] a follower begins with the newest events that were published before it, without a gap', async () => {
    await using bus = await open();
    const first = new Recorder();
    const subscription = await bus.subscribe(first);
    for (const content of numbered(10)) await bus.append(message(content));
    await subscription.current();
    const second = new Recorder();
    await bus.subscribe(second);
    const kept = second.starts[0]?.kept ?? [];
    expect(second.startedAt).toEqual({
      ...first.startedAt,
      position: first.startedAt.position + 10,
    });
    expect(kept).toEqual(first.taken.slice(first.taken.length - kept.length));
  });

  test('[LB16] a publication is counted once, even if followers fail', async () => {
    await using bus = await open();
    const follower = new Recorder();
    await bus.subscribe(new Recorder(() => Promise.reject(new Error('a follower of the test'))));
    const subscription = await bus.subscribe(follower);
    for (const content of numbered(3)) await bus.append(message(content));
    await subscription.current();
    expect(follower.places).toEqual(placesAfter(follower.startedAt, 3));
  });

  test('[LB19] two streams never have the same epoch', async () => {
    await using one = await open();
    await using other = await open();
    const followers = [new Recorder(), new Recorder()] as const;
    await one.subscribe(followers[0]);
    await other.subscribe(followers[1]);
    const epochs = followers.map(({ startedAt }) => startedAt.epoch);
    expect(new Set(epochs).size).toBe(2);
    for (const epoch of epochs) expect(epoch).toMatch(/^[\w-]{1,64}$/);
  });
}

function keyContract(open: OpenBus): void {
  test('[LA16] a single one of several appends with one key is published, and all others get its identifier', async () => {
    await using bus = await open();
    const follower = new Recorder();
    const subscription = await bus.subscribe(follower);
    const keys = ['lobby 1 nonce', 'lobby 1 7 8 nonce', 'lobby 2 nonce', 'lobby 1 a\n👋 b'];
    const append = async (key: string, content = key) => bus.appendOnce(message(content), key);
    const all = await Promise.all(keys.flatMap((key) => [append(key), append(key)]));
    expect(all.map(({ isNew }) => isNew)).toEqual(keys.flatMap(() => [true, false]));
    for (let at = 0; at < all.length; at += 2) expect(all[at + 1]?.id).toBe(all[at]?.id as Id);
    const plain = await bus.append(message('without a key'));
    expect(await append(keys[0] ?? '', 'another text')).toEqual({
      ...all[1],
      isNew: false,
    } as never);
    await subscription.current();
    expect(follower.contents).toEqual([...keys, 'without a key']);
    expect(follower.taken.map(idOf)).toEqual([
      ...all.filter(({ isNew }) => isNew).map(({ id }) => id),
      plain,
    ]);
    expect(follower.places).toEqual(placesAfter(follower.startedAt, keys.length + 1));
  });

  test('[LA18] if there are too many keys, the oldest is forgotten', async () => {
    await using bus = await open({ streams: 1, subjects: 1, keys: 2 });
    const append = async (key: string) => (await bus.appendOnce(message(key), key)).isNew;
    const areNew: boolean[] = [];
    for (const key of ['a', 'b', 'a', 'c', 'b', 'a']) areNew.push(await append(key));
    expect(areNew).toEqual([true, true, false, true, false, true]);
  });
}

function failureContract(open: OpenBus): void {
  const failures: [how: string, take: BusFollower['take']][] = [
    [
      'throws',
      () => {
        throw new Error('a follower of the test');
      },
    ],
    ['rejects', () => Promise.reject(new Error('a follower of the test'))],
  ];

  test.each(failures)(
    'if a follower %s, it, the others and the publisher are still served',
    async (_how, take) => {
      await using bus = await open();
      const followers = [new Recorder(), new Recorder(take), new Recorder()];
      const subscriptions = await followAll(bus, followers);
      for (const content of numbered(3)) await bus.append(message(content));
      await current(subscriptions);
      for (const { contents } of followers) expect(contents).toEqual(numbered(3));
    },
  );
}

function lifeContract(open: OpenBus): void {
  test('a removed follower receives nothing more, even if it is removed twice, and the others still do', async () => {
    await using bus = await open();
    const [gone, staying] = [new Recorder(), new Recorder()];
    const [leaving, subscription] = [await bus.subscribe(gone), await bus.subscribe(staying)];
    await bus.append(message('first'));
    await current([leaving, subscription]);
    leaving.unsubscribe();
    leaving.unsubscribe();
    await bus.append(message('second'));
    await subscription.current();
    expect([gone.contents, staying.contents]).toEqual([['first'], ['first', 'second']]);
  });

  test('a disposed bus accepts nothing and delivers nothing', async () => {
    const bus = await open();
    const follower = new Recorder();
    const subscription = await bus.subscribe(follower);
    await bus.append(message('before'));
    await subscription.current();
    await bus[Symbol.asyncDispose]();
    const publishAfter = async () => bus.append(message('after'));
    await expect(publishAfter()).rejects.toThrow(Error);
    expect(follower.contents).toEqual(['before']);
  });
}

async function followAll(bus: Bus, followers: readonly BusFollower[]): Promise<Subscription[]> {
  const subscriptions: Subscription[] = [];
  for (const follower of followers) subscriptions.push(await bus.subscribe(follower));
  return subscriptions;
}

async function current(subscriptions: readonly Subscription[]): Promise<void> {
  await Promise.all(subscriptions.map((subscription) => subscription.current()));
}

function isGreater(id: Id, other: Id | undefined): boolean {
  return other === undefined || compareIds(id, other) > 0;
}
