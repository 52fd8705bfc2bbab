import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { compareIds, ServerError } from '@hearth/protocol';
import { idOf, message, numbered, Recorder } from '@hearth/testing/ports/bus-recorder';
import { isRedisMissing } from '@hearth/testing/servers/redis-server';
import { sharedRedis, type SharedRedis } from '@hearth/testing/servers/shared-redis';
import { BlockSource, freshPrefix, openSharedBus } from '@hearth/testing/ports/shared-bus';
import { until } from '@hearth/testing/until';
import type { AppendedKey, Bus } from './bus.ts';
import { prepareStream, recallAppended } from './redis-stream.ts';

let server: SharedRedis;

beforeAll(async () => {
  if (!isRedisMissing) server = await sharedRedis();
});
afterAll(() => server?.[Symbol.asyncDispose]());

/** Opens two processes of an instance with the same database, and a follower. */
async function openPair(blocks: BlockSource) {
  await using resources = new AsyncDisposableStack();
  const shared = { url: server.url, prefix: freshPrefix(), blocks };
  const one = resources.use(await openSharedBus(shared));
  const other = resources.use(await openSharedBus(shared));
  const follower = new Recorder();
  const subscription = await one.bus.subscribe(follower);
  /** Makes the block in use this much older. */
  const age = async (ms: number) => {
    const leasedAt = Number(await one.link.send('HGET', [one.keys[0], 'leased_at']));
    await one.link.send('HSET', [one.keys[0], 'leased_at', String(leasedAt - ms)]);
  };
  const owned = resources.move();
  return {
    shared,
    one,
    other,
    follower,
    subscription,
    age,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function expectGrowing({ taken }: Recorder, count: number): void {
  const ids = taken.map(idOf);
  expect(ids).toEqual(ids.toSorted(compareIds));
  expect(new Set(ids).size).toBe(count);
}

describe.skipIf(isRedisMissing)('the identifiers of the redis bus', () => {
  test('all processes take identifiers from one block, and from another one when it is used up', async () => {
    const blocks = new BlockSource(10);
    await using pair = await openPair(blocks);
    for (const content of numbered(25)) {
      const { bus } = Number(content) % 2 === 0 ? pair.one : pair.other;
      await bus.append(message(content));
    }
    await pair.subscription.current();
    expectGrowing(pair.follower, 25);
    expect(blocks.leased).toBe(3);
  });

  test('identifiers come from a new block if the current one is old', async () => {
    const blocks = new BlockSource();
    await using pair = await openPair(blocks);
    await pair.one.bus.append(message('1'));
    await pair.one.bus.append(message('2'));
    expect(blocks.leased).toBe(1);
    await pair.age(6_000);
    await pair.one.bus.append(message('3'));
    await pair.subscription.current();
    expect(blocks.leased).toBe(2);
    expectGrowing(pair.follower, 3);
  });

  const ways: [how: string, fault: () => Promise<never>][] = [
    ['fails', () => Promise.reject(new Error('the database is away'))],
    ['does not answer', () => new Promise(() => {})],
  ];

  test.each(ways)(
    'if the database %s, identifiers come from an old block until it is used up',
    async (_how, fault) => {
      const blocks = new BlockSource(10);
      await using pair = await openPair(blocks);
      await pair.one.bus.append(message('0'));
      await pair.age(60_000);
      blocks.answer = fault;
      for (const content of numbered(10).slice(1)) await pair.one.bus.append(message(content));
      await expect(pair.one.bus.append(message('one too many'))).rejects.toThrow();
      await pair.subscription.current();
      expect(pair.follower.contents).toEqual(numbered(10));
      expectGrowing(pair.follower, 10);
    },
  );

  test('identifiers are available again when the database is', async () => {
    const blocks = new BlockSource(2);
    await using pair = await openPair(blocks);
    blocks.answer = () => Promise.reject(new ServerError('Making an identifier'));
    await expect(pair.one.bus.append(message('lost'))).rejects.toThrow(ServerError);
    blocks.answer = undefined;
    for (const content of numbered(3)) await pair.one.bus.append(message(content));
    await pair.subscription.current();
    expect(pair.follower.contents).toEqual(numbered(3));
  });

  test.each([
    ['after later ones were used', async () => {}],
    [
      'after Redis has forgotten the later ones',
      async ({ one, follower }: Awaited<ReturnType<typeof openPair>>) => {
        await one.link.send('FLUSHDB', []);
        await until(async () => follower.starts.length === 2);
      },
    ],
  ])('identifiers grow even if a block comes late, %s', async (_when, meanwhile) => {
    const blocks = new BlockSource(4);
    await using pair = await openPair(blocks);
    const asked = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    const lateBlocks = new BlockSource();
    lateBlocks.answer = async () => {
      const block = await blocks.lease();
      asked.resolve();
      await late.promise;
      return block;
    };
    await using slow = await openSharedBus({ ...pair.shared, blocks: lateBlocks });
    const published = slow.bus.append(message('late'));
    await asked.promise;
    for (const content of numbered(7)) await pair.other.bus.append(message(content));
    await pair.subscription.current();
    await meanwhile(pair);
    late.resolve();
    await published;
    await pair.one.bus.append(message('end'));
    await until(async () => pair.follower.contents.includes('end'));
    expect(pair.follower.contents).toEqual([...numbered(7), 'late', 'end']);
    expectGrowing(pair.follower, 9);
  });

  test('the number of publications that wait for identifiers is limited', async () => {
    const blocks = new BlockSource();
    await using pair = await openPair(blocks);
    const asked = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<never>();
    blocks.answer = () => {
      asked.resolve();
      return gone.promise;
    };
    const waiting = numbered(10_000).map((content) => pair.one.bus.append(message(content)));
    await asked.promise;
    await expect(pair.one.bus.append(message('one too many'))).rejects.toThrow('too many');
    blocks.answer = undefined;
    gone.reject(new Error('the database is away'));
    const verdicts = await Promise.allSettled(waiting);
    const placed = verdicts.filter(({ status }) => status === 'fulfilled').length;
    const reasons = verdicts.flatMap((verdict) =>
      verdict.status === 'rejected' ? [String(verdict.reason)] : [],
    );
    // On a busy machine, the last ones may have waited for too long.
    const lost = reasons.filter((reason) => !reason.includes('did not answer in time'));
    expect(lost.filter((reason) => !reason.includes('the database is away'))).toEqual([]);
    // They were all in one batch.
    expect(lost.length).toBeLessThanOrEqual(64);
    await pair.subscription.current();
    // Some may have been under way when it was too late for them.
    const { taken } = pair.follower;
    expect(taken.length).toBeGreaterThanOrEqual(placed);
    expectGrowing(pair.follower, taken.length);
  });

  test('[LA16] a single one of several appends with one key in two processes at once is published', async () => {
    await using pair = await openPair(new BlockSource(10));
    const keys = numbered(40);
    const append = async (bus: Bus, key: string) => bus.appendOnce(message(key), key);
    const all = await Promise.all(
      keys.map((key) => Promise.all([append(pair.one.bus, key), append(pair.other.bus, key)])),
    );
    for (const [one, other] of all) {
      expect(other.id).toBe(one.id);
      expect([one.isNew, other.isNew].toSorted()).toEqual([false, true]);
    }
    await pair.subscription.current();
    expect(pair.follower.contents.toSorted()).toEqual(keys.toSorted());
  });

  test('[LA18] the key of an append is remembered for ten minutes, and then forgotten', async () => {
    await using pair = await openPair(new BlockSource(10));
    const { link, keys, bus } = pair.one;
    const [, , , , , , , appended, appendedAt] = keys;
    const append = async (key: string) => (await bus.appendOnce(message(key), key)).isNew;
    const age = (ms: number) => link.send('ZINCRBY', [appendedAt, String(-ms), 'a']);
    expect(await append('a')).toBe(true);
    await age(590_000);
    expect(await append('a')).toBe(false);
    await age(10_000);
    expect(await append('b')).toBe(true);
    expect(await link.send('HKEYS', [appended])).toEqual(['b']);
    expect(await append('a')).toBe(true);
    expect(Number(await link.send('PTTL', [appended]))).toBeWithin(590_000, 600_001);
  });

  test('[LA18] keys that Redis has lost come from the database, once in an epoch', async () => {
    await using pair = await openPair(new BlockSource(10));
    const { link, keys, bus } = pair.one;
    const append = async (key: string) => bus.appendOnce(message(key), key);
    const { id } = await append('a');
    let lists = 0;
    const recall = (known: readonly AppendedKey[] | undefined) =>
      recallAppended(link, keys, async () => {
        lists += 1;
        return known;
      });
    await link.send('DEL', [...keys]);
    await prepareStream(link, keys);
    await recall(undefined);
    const others = numbered(1_200).map((key) => ({ key: `x${key}`, id }));
    await recall([...others, { key: 'a', id }]);
    await recall([{ key: 'b', id }]);
    expect(lists).toBe(2);
    expect(await append('a')).toEqual({ id, isNew: false });
    expect(await append('x0')).toEqual({ id, isNew: false });
    expect((await append('b')).isNew).toBe(true);
  });

  test('[LA18] a key in an old copy of the data of Redis is replaced by a newer one of the database', async () => {
    await using pair = await openPair(new BlockSource(10));
    const { link, keys, bus } = pair.one;
    const [, , , , , , , , appendedAt] = keys;
    const append = async (key: string) => bus.appendOnce(message(key), key);
    const [earlier, later] = [await append('a'), await append('b')];
    // The copy has `a` as it was used eleven minutes ago, and `b` as it was used a moment after the database says.
    await link.send('ZINCRBY', [appendedAt, '-660000', 'a']);
    await link.send('ZINCRBY', [appendedAt, '2000', 'b']);
    await recallAppended(link, keys, async () => [
      { key: 'a', id: later.id },
      { key: 'b', id: earlier.id },
    ]);
    expect(await append('a')).toEqual({ id: later.id, isNew: false });
    expect(await append('b')).toEqual({ id: later.id, isNew: false });
  });
});
