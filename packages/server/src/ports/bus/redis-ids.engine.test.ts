import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { compareIds, ServerError } from '@hearth/protocol';
import { idOf, message, numbered, Recorder } from '@hearth/testing/ports/bus-recorder';
import { isRedisMissing } from '@hearth/testing/servers/redis-server';
import { sharedRedis, type SharedRedis } from '@hearth/testing/servers/shared-redis';
import { BlockSource, freshPrefix, openSharedBus } from '@hearth/testing/ports/shared-bus';
import { until } from '@hearth/testing/until';

let server: SharedRedis;

beforeAll(async () => {
  if (!isRedisMissing) server = await sharedRedis();
});
afterAll(() => server?.[Symbol.asyncDispose]());

/** Two processes of an instance, which have the same database, and a follower. */
async function openPair(blocks: BlockSource) {
  await using resources = new AsyncDisposableStack();
  const shared = { url: server.url, prefix: freshPrefix(), blocks };
  const one = resources.use(await openSharedBus(shared));
  const other = resources.use(await openSharedBus(shared));
  const follower = new Recorder();
  const subscription = await one.bus.subscribe(follower);
  /** Lets the block that is in use be so old. */
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
  test('come from one block for all processes, and another when it is used up', async () => {
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

  test('come from another block where that is old', async () => {
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
    'come from an old block where the database %s, while it lasts',
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

  test('are there again when the database is', async () => {
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
    ['behind later ones', async () => {}],
    [
      'after Redis forgot those',
      async ({ one, follower }: Awaited<ReturnType<typeof openPair>>) => {
        await one.link.send('FLUSHDB', []);
        await until(async () => follower.starts.length === 2);
      },
    ],
  ])('grow also where a block comes late, %s', async (_when, meanwhile) => {
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

  test('are waited for by no more publications than may wait', async () => {
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
    // Those that were told of the failure were asked for together.
    expect(placed).toBeGreaterThanOrEqual(10_000 - 64);
    await pair.subscription.current();
    expectGrowing(pair.follower, placed);
  });
});
