import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { compareIds } from '@hearth/protocol';
import {
  Recorder,
  placesAfter,
  contentOf,
  idOf,
  message,
  numbered,
} from '@hearth/testing/ports/bus-recorder';
import {
  isRedisMissing,
  startRedisServer,
  type RedisServer,
} from '@hearth/testing/servers/redis-server';
import {
  BlockSource,
  freshPrefix,
  openSharedBus,
  type SharedBusOptions,
} from '@hearth/testing/ports/shared-bus';
import { until } from '@hearth/testing/until';

let server: RedisServer;

beforeAll(async () => {
  if (!isRedisMissing) server = await startRedisServer();
});
afterAll(() => server?.[Symbol.asyncDispose]());

/** Opens processes of one instance, one per call. */
function instance(options: Partial<SharedBusOptions> = {}) {
  const shared = { url: server.url, prefix: freshPrefix(), blocks: new BlockSource(), ...options };
  return () => openSharedBus(shared);
}

/** Cuts every connection except the one that sends the command. */
async function cutAll(link: { send(command: string, args: readonly string[]): Promise<unknown> }) {
  await link.send('CLIENT', ['KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
}

describe.skipIf(isRedisMissing)('the redis bus between processes', () => {
  test('[LB16] all processes see one order, one epoch and one position, and identifiers grow in that order', async () => {
    const open = instance({ blocks: new BlockSource(100) });
    await using one = await open();
    await using other = await open();
    const [first, second] = [new Recorder(), new Recorder()];
    const subscriptions = [await one.bus.subscribe(first), await other.bus.subscribe(second)];
    const all = numbered(1_000);
    const owner = (content: string) => (Number(content) % 3 === 0 ? one : other);
    await Promise.all(all.map((content) => owner(content).bus.append(message(content))));
    await Promise.all(subscriptions.map((each) => each.current()));
    expect(first.taken).toEqual(second.taken);
    expect(first.starts).toEqual(second.starts);
    expect(first.places).toEqual(placesAfter(first.startedAt, 1_000));
    expect(first.contents.toSorted((a, b) => Number(a) - Number(b))).toEqual(all);
    for (const process of [one, other]) {
      const own = first.contents.filter((content) => owner(content) === process);
      expect(own).toEqual(all.filter((content) => owner(content) === process));
    }
    const ids = first.taken.map(idOf);
    expect(ids).toEqual(ids.toSorted(compareIds));
    expect(new Set(ids).size).toBe(1_000);
  });

  test('an event adds one entry to Redis for any number of followers, and PUBLISH is not used', async () => {
    const open = instance();
    await using one = await open();
    await using other = await open();
    const subscriptions = [
      await one.bus.subscribe(new Recorder()),
      await one.bus.subscribe(new Recorder()),
      await other.bus.subscribe(new Recorder()),
    ];
    await one.link.send('CONFIG', ['RESETSTAT']);
    for (const content of numbered(20)) await one.bus.append(message(content));
    await Promise.all(subscriptions.map((each) => each.current()));
    const stats = String(await one.link.send('INFO', ['commandstats']));
    expect(/^cmdstat_xadd:calls=(\d+),/m.exec(stats)?.[1]).toBe('20');
    expect(stats).not.toContain('publish');
  });

  test('[LB20] a later follower begins with everything that is kept, over many pages', async () => {
    const open = instance();
    await using one = await open();
    const first = new Recorder();
    const following = await one.bus.subscribe(first);
    await Promise.all(numbered(1_000).map((content) => one.bus.append(message(content))));
    await following.current();
    await using other = await open();
    const second = new Recorder();
    const subscription = await other.bus.subscribe(second);
    expect(second.startedAt).toEqual(first.places.at(-1) ?? first.startedAt);
    expect(second.starts[0]?.kept).toEqual(first.taken);
    await one.bus.append(message('next'));
    await subscription.current();
    expect(second.contents).toEqual(['next']);
  });

  test('[LB20] everything within the limits of number and bytes is kept, and nothing more', async () => {
    const kept = async (replay: { events: number; bytes: number }, content: string) => {
      const open = instance({ bounds: { replay } });
      await using one = await open();
      for (let count = 0; count < 40; count += 1) {
        const many = Array.from({ length: 60 }, () => one.bus.append(message(content)));
        await Promise.all(many);
      }
      const follower = new Recorder();
      await one.bus.subscribe(follower);
      const ttl = await one.link.send('PTTL', [one.keys[1]]);
      return { ttl: Number(ttl), length: follower.starts[0]?.kept.length };
    };
    const byNumber = await kept({ events: 2_000, bytes: 1e9 }, 'x');
    expect(byNumber.length).toBe(2_000);
    expect(byNumber.ttl).toBeGreaterThan(500_000);
    expect(byNumber.ttl).toBeLessThanOrEqual(600_000);
    // Not less than readers need that never stop.
    expect((await kept({ events: 0, bytes: 0 }, 'x')).length).toBe(1_024);
    const byBytes = await kept({ events: 1e6, bytes: 0 }, 'x'.repeat(10_000));
    expect(byBytes.length).toBeGreaterThan(820);
    expect(byBytes.length).toBeLessThan(840);
  });

  test('[LB16] if connections are cut, a follower continues after its last event without a gap', async () => {
    const open = instance();
    await using one = await open();
    await using admin = await open();
    const follower = new Recorder();
    const subscription = await one.bus.subscribe(follower);
    const published: string[] = [];
    for (const content of numbered(60)) {
      if (Number(content) % 10 === 5) await cutAll(admin.link);
      // The publisher is not cut, because only followers are tested here.
      await admin.bus.append(message(content));
      published.push(content);
    }
    await until(async () => follower.taken.length >= published.length);
    await one.link.whenUp();
    await subscription.current();
    expect(follower.contents).toEqual(published);
    expect(follower.starts).toHaveLength(1);
  });

  test('a slow follower gets no more than it takes, and begins again if the next event is no longer kept', async () => {
    const open = instance({ bounds: { replay: { events: 0, bytes: 0 } } });
    await using one = await open();
    const gate = Promise.withResolvers<void>();
    const slow = new Recorder((taken) => (contentOf(taken) === '0' ? gate.promise : undefined));
    const quick = new Recorder();
    const following = await one.bus.subscribe(slow);
    const subscription = await one.bus.subscribe(quick);
    await one.bus.append(message('0'));
    await until(async () => slow.taken.length === 1);
    const later = numbered(3_001).slice(1);
    await Promise.all(later.map((content) => one.bus.append(message(content))));
    await subscription.current();
    expect(quick.contents).toEqual(['0', ...later]);
    expect(slow.contents).toEqual(['0']);
    gate.resolve();
    await following.current();
    expect(slow.starts).toHaveLength(2);
    const [, second] = slow.pieces;
    expect(second?.taken.length).toBe(1_024);
    expect(second?.taken.map(contentOf)).toEqual(later.slice(-1_024));
    expect(second?.taken.map(({ position }) => position)).toEqual(
      placesAfter(second?.start.at ?? slow.startedAt, 1_024).map(({ position }) => position),
    );
  });

  test('all who ask at the same time are current when the events of another process have arrived', async () => {
    const open = instance();
    await using one = await open();
    await using other = await open();
    const gate = Promise.withResolvers<void>();
    const follower = new Recorder((taken) => (contentOf(taken) === '1' ? gate.promise : undefined));
    const subscription = await one.bus.subscribe(follower);
    await other.bus.append(message('1'));
    await other.bus.append(message('2'));
    await until(async () => follower.taken.length === 1);
    const seen: number[] = [];
    const asked = numbered(100).map(async () => {
      await subscription.current();
      seen.push(follower.taken.length);
    });
    gate.resolve();
    await Promise.all(asked);
    expect(seen).toEqual(Array.from({ length: 100 }, () => 2));
  });

  test('current rejects in time while the follower does not take an event', async () => {
    const open = instance();
    await using one = await open();
    const gate = Promise.withResolvers<void>();
    const follower = new Recorder(() => gate.promise);
    const subscription = await one.bus.subscribe(follower);
    await one.bus.append(message('1'));
    await one.bus.append(message('2'));
    await expect(subscription.current()).rejects.toThrow('not known');
    gate.resolve();
    await subscription.current();
    expect(follower.contents).toEqual(['1', '2']);
  });

  test('many processes can connect to an empty Redis at the same time', async () => {
    const open = instance();
    const opened = await Promise.all(numbered(8).map(() => open()));
    const followers = opened.map(() => new Recorder());
    const subscribed = await Promise.all(
      opened.map(async ({ bus }, i) => {
        const published = bus.append(message(String(i)));
        const subscription = await bus.subscribe(followers[i] ?? new Recorder());
        await published;
        return subscription;
      }),
    );
    await Promise.all(subscribed.map((each) => each.current()));
    expect(new Set(followers.map(({ startedAt }) => startedAt.epoch)).size).toBe(1);
    for (const follower of followers) {
      const kept = follower.starts[0]?.kept ?? [];
      expect(follower.starts).toHaveLength(1);
      expect([...kept, ...follower.taken].map(({ position }) => position)).toEqual([
        ...[1, 2, 3, 4, 5, 6, 7, 8],
      ]);
    }
    for (const each of opened) await each[Symbol.asyncDispose]();
  });

  test('instances that share a Redis do not affect each other', async () => {
    await using one = await instance()();
    await using other = await instance()();
    const follower = new Recorder();
    const subscription = await one.bus.subscribe(follower);
    await other.bus.append(message('of the other'));
    await one.bus.append(message('own'));
    await subscription.current();
    expect(follower.contents).toEqual(['own']);
    expect((await other.journal.read()).map(({ content }) => content)).toEqual(['of the other']);
  });
});
