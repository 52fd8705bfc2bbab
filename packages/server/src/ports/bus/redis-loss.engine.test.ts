import { describe, expect, test } from 'bun:test';
import { compareIds } from '@hearth/protocol';
import { Recorder, placesAfter, idOf, message, numbered } from '@hearth/testing/ports/bus-recorder';
import { isRedisMissing, startRedisServer } from '@hearth/testing/servers/redis-server';
import {
  BlockSource,
  freshPrefix,
  openSharedBus,
  type SharedBus,
} from '@hearth/testing/ports/shared-bus';
import { until } from '@hearth/testing/until';
import { entriesOf } from './redis-stream.ts';

/** Opens two processes of an instance on their own server, with a follower in the first. */
async function openPair() {
  await using resources = new AsyncDisposableStack();
  const server = resources.use(await startRedisServer());
  const shared = { url: server.url, prefix: freshPrefix(), blocks: new BlockSource() };
  const one = resources.use(await openSharedBus(shared));
  const other = resources.use(await openSharedBus(shared));
  const follower = new Recorder();
  const subscription = await one.bus.subscribe(follower);
  const owned = resources.move();
  return {
    ...{ server, one, other, follower, subscription },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function publishAll({ bus }: SharedBus, contents: readonly string[]): Promise<void> {
  for (const content of contents) await bus.append(message(content));
}

/** Expects that identifiers grow over all deliveries, and that no piece has a gap. */
function expectWhole({ pieces, taken }: Recorder): void {
  const ids = taken.map(idOf);
  expect(ids).toEqual(ids.toSorted(compareIds));
  expect(new Set(ids).size).toBe(ids.length);
  for (const piece of pieces) {
    const places = piece.taken.map(({ epoch, position }) => ({ epoch, position }));
    expect(places).toEqual(placesAfter(piece.start.at, piece.taken.length));
  }
}

describe.skipIf(isRedisMissing)('the redis bus when Redis fails', () => {
  test('[LB19] while Redis is unavailable publications are refused, and if it comes back empty a new epoch begins', async () => {
    await using pair = await openPair();
    const { server, one, other, follower, subscription } = pair;
    await publishAll(one, ['1', '2']);
    await subscription.current();
    await server.stop();
    await expect(one.bus.append(message('lost'))).rejects.toThrow();
    await until(async () => !other.link.isUp);
    await expect(other.bus.append(message('lost too'))).rejects.toThrow('unavailable');
    await expect(subscription.current()).rejects.toThrow();
    await server.start();
    await other.link.whenUp();
    await publishAll(other, ['3', '4']);
    await one.link.whenUp();
    await publishAll(one, ['5']);
    await until(async () => follower.taken.length === 5);
    await subscription.current();
    expect(follower.contents).toEqual(['1', '2', '3', '4', '5']);
    expect(follower.starts).toHaveLength(2);
    expect(follower.starts[1]?.at.epoch).not.toBe(follower.startedAt.epoch);
    // Followers that never left do not get the events from before the reader was back.
    expect(follower.starts[1]).toMatchObject({ at: { position: 0 }, kept: [] });
    expectWhole(follower);
  });

  test('[LB19] if Redis comes back with an old state, no position and no identifier of it is continued', async () => {
    await using pair = await openPair();
    const { server, one, other, follower, subscription } = pair;
    await publishAll(one, ['1', '2', '3']);
    await one.link.send('SAVE', []);
    await publishAll(one, ['4', '5']);
    await subscription.current();
    await server.stop();
    await server.start();
    await Promise.all([one.link.whenUp(), other.link.whenUp()]);
    await Promise.all([publishAll(one, ['6', '7']), publishAll(other, ['8', '9'])]);
    await until(async () => follower.taken.length === 9);
    expect(follower.starts).toHaveLength(2);
    expect(follower.places.slice(5)).toEqual(
      placesAfter(follower.starts[1]?.at ?? pair.follower.startedAt, 4),
    );
    expectWhole(follower);
    const late = new Recorder();
    await other.bus.subscribe(late);
    expect(late.starts[0]?.kept).toEqual(follower.taken.slice(5));
    // Everything in the journal was dispatched at some time.
    const journal = (await one.journal.read()).map(({ content }) => content);
    expect(journal.slice(0, 3)).toEqual(['1', '2', '3']);
    expect(journal.slice(3).toSorted()).toEqual(['6', '7', '8', '9']);
  });

  test('while Redis is halted publications are refused in time, and the same stream continues afterwards', async () => {
    await using pair = await openPair();
    const { server, one, other, follower, subscription } = pair;
    await publishAll(one, ['1']);
    server.pause();
    const began = performance.now();
    const refused = numbered(200).map((content) => one.bus.append(message(`${content}?`)));
    const verdicts = await Promise.allSettled(refused);
    expect(performance.now() - began).toBeGreaterThan(2_000);
    // Redis may have answered some before it halted.
    const isRefused = verdicts.map(({ status }) => status === 'rejected');
    expect(isRefused.at(-1)).toBe(true);
    await expect(subscription.current()).rejects.toThrow();
    server.resume();
    await Promise.all([one.link.whenUp(), other.link.whenUp()]);
    await publishAll(other, ['2']);
    await publishAll(one, ['3']);
    await until(async () => follower.contents.includes('3'));
    expect(follower.contents.filter((content) => !content.endsWith('?'))).toEqual(['1', '2', '3']);
    // Of the refused publications, only those under way may have been published, and only once.
    const happened = follower.contents.filter((content) => content.endsWith('?')).length;
    const answered = isRefused.filter((refused) => !refused).length;
    expect(happened).toBeGreaterThanOrEqual(answered);
    expect(happened).toBeLessThanOrEqual(answered + 64);
    expect(new Set(follower.contents).size).toBe(follower.contents.length);
    expect(follower.starts).toHaveLength(1);
    expectWhole(follower);
  });

  test('a new epoch begins if Redis forgets everything, even if no connection was lost', async () => {
    await using pair = await openPair();
    const { one, other, follower, subscription } = pair;
    await publishAll(one, ['1', '2', '3']);
    await subscription.current();
    await other.link.send('FLUSHALL', []);
    await publishAll(other, ['4']);
    await publishAll(one, ['5']);
    await until(async () => follower.taken.length === 5);
    expect(follower.contents).toEqual(numbered(6).slice(1));
    expect(follower.starts).toHaveLength(2);
    expectWhole(follower);
  });

  test('followers begin again if Redis forgets everything while nothing is published', async () => {
    await using pair = await openPair();
    await publishAll(pair.one, ['1']);
    await pair.subscription.current();
    await pair.one.link.send('FLUSHALL', []);
    await until(async () => pair.follower.starts.length === 2);
    expect(pair.follower.starts[1]).toMatchObject({ at: { position: 0 }, kept: [] });
    await pair.subscription.current();
  });

  const harms: [
    what: string,
    harm: (process: SharedBus) => Promise<unknown>,
    isEpochKept: boolean,
  ][] = [
    ['the key of the stream has another type', ({ link, keys }) => replace(link, keys[1]), false],
    ['the key of the head has another type', ({ link, keys }) => replace(link, keys[0]), false],
    ['the key of the journal has another type', ({ link, keys }) => replace(link, keys[2]), true],
    ['only the head is lost', ({ link, keys }) => link.send('DEL', [keys[0]]), false],
    ['only the stream is lost', ({ link, keys }) => link.send('DEL', [keys[1]]), true],
    [
      'the stream is ahead of its head',
      ({ link, keys }) => link.send('XADD', [keys[1], '99999999999999-1', 'id', '1']),
      false,
    ],
  ];

  test.each(harms)(
    'if %s, deliveries stay correct and continue',
    async (_what, harm, isEpochKept) => {
      await using pair = await openPair();
      const { one, other, follower, subscription } = pair;
      await publishAll(one, ['1', '2']);
      await subscription.current();
      await harm(other);
      await publishAll(other, ['3', '4']);
      await publishAll(one, ['5']);
      await until(async () => follower.contents.includes('5'));
      expect(follower.contents).toEqual(['1', '2', '3', '4', '5']);
      expect(follower.places.at(-1)?.epoch === follower.startedAt.epoch).toBe(isEpochKept);
      expectWhole(follower);
      const late = new Recorder();
      await other.bus.subscribe(late);
      expect(late.startedAt).toEqual(follower.places.at(-1) ?? late.startedAt);
      const journal = (await one.journal.read()).map(({ content }) => content);
      expect(journal.slice(-3)).toEqual(['3', '4', '5']);
      const { kept = [] } = late.starts[0] ?? {};
      const entries = await one.link.send('XRANGE', [one.keys[1], '-', '+']);
      const sizes = entriesOf(entries).map(({ text }) => text.length + 64);
      expect(sizes).toHaveLength(kept.length);
      const bytes = await one.link.send('HGET', [one.keys[0], 'bytes']);
      expect(Number(bytes)).toBe(sizes.reduce((sum, size) => sum + size, 0));
    },
  );

  test.each([3, 4, 5, 6])(
    'if a key of the remembered streams and subjects (key %d) has another type, a new epoch begins when it is needed',
    async (key) => {
      await using pair = await openPair();
      const { one, other, follower, subscription } = pair;
      const made = (n: number) => ({ stream: 'c:1', event: { op: 'MADE_UP', d: { n } } });
      await one.bus.publishNext(made(1), { subject: 'channel', number: 1, after: 0 });
      await publishAll(one, ['1']);
      await subscription.current();
      await replace(other.link, one.keys[key] ?? '');
      await publishAll(one, ['2']);
      const offered = { subject: 'channel', number: 2 };
      expect(await one.bus.publishNext(made(2), offered)).toEqual({ state: 'unknown' });
      expect(await one.bus.publishNext(made(2), { ...offered, after: 1 })).toEqual({
        state: 'taken',
      });
      await until(async () => follower.taken.length === 4);
      expect(follower.starts).toHaveLength(2);
      const made2 = follower.taken.at(-1);
      expect(made2).toMatchObject({ stream: 'c:1', position: 1 });
      expect(made2?.epoch).not.toBe(follower.taken[0]?.epoch);
    },
  );

  test('a follower begins again after an entry that cannot be read', async () => {
    await using pair = await openPair();
    const { one, other, follower, subscription } = pair;
    await publishAll(one, ['1']);
    await subscription.current();
    const { epoch, position } = follower.startedAt;
    const generation = String(await one.link.send('HGET', [one.keys[0], 'generation']));
    const entry = ['e', 'lobby - 2 1 5 of another version'];
    await Promise.all([
      other.link.send('XADD', [other.keys[1], `${generation}-${position + 2}`, ...entry]),
      other.link.send('HINCRBY', [other.keys[0], 'place', '1']),
      other.link.send('HINCRBY', [other.keys[0], 'journaled', '1']),
    ]);
    await publishAll(other, ['3']);
    await until(async () => follower.contents.includes('3'));
    expect(follower.starts.map(({ at }) => at)).toEqual([
      { epoch, position },
      { epoch, position: position + 2 },
    ]);
    expectWhole(follower);
  });

  test('a publication is refused if Redis is out of memory, and the next one succeeds when it is not', async () => {
    await using pair = await openPair();
    const { one, follower, subscription } = pair;
    await publishAll(one, ['1']);
    await one.link.send('CONFIG', ['SET', 'maxmemory', '1']);
    await expect(one.bus.append(message('too much'))).rejects.toThrow('OOM');
    await one.link.send('CONFIG', ['SET', 'maxmemory', '0']);
    await publishAll(one, ['2']);
    await subscription.current();
    expect(follower.contents).toEqual(['1', '2']);
    expect(follower.starts).toHaveLength(1);
    expect((await one.journal.read()).map(({ content }) => content)).toEqual(['1', '2']);
  });
});

async function replace(link: SharedBus['link'], key: string): Promise<void> {
  await link.send('SET', [key, 'a value of somebody else']);
}
