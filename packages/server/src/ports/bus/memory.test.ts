import { describe, expect, test } from 'bun:test';
import { formatId, LOBBY_STREAM, ServerError, type Id } from '@hearth/protocol';
import {
  placesAfter,
  contentOf,
  numbered,
  message,
  Recorder,
} from '@hearth/testing/ports/bus-recorder';
import { countedIds, idsFrom } from '@hearth/testing/ports/id-source';
import { busContract } from './bus.contract.ts';
import type { MostRemembered } from './bus.ts';
import type { BusEvent, Subscription } from './bus.ts';
import { memoryBus } from './memory.ts';

const journaled = LOBBY_STREAM;

const open = (most?: MostRemembered) =>
  memoryBus({ ids: countedIds(), journaled, keep: () => {}, ...(most && { most }) });

busContract('memory', open);

/** Guarantees that only an engine that delivers within `publish` can give. */
describe('the memory bus within a process', () => {
  test('a publication has been delivered when publish returns, and every follower is current', async () => {
    await using bus = open();
    const follower = new Recorder();
    const subscription = await bus.subscribe(follower);
    const id = bus.append(message('now'));
    expect(follower.taken.map((each) => 'event' in each && each.event.d)).toMatchObject([{ id }]);
    expect(follower.contents).toEqual(['now']);
    expect(subscription.current()).toBeUndefined();
  });

  test('publish resolves when every follower has taken the publication', async () => {
    await using bus = open();
    const slow = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    await bus.subscribe(
      new Recorder(() => {
        begun.resolve();
        return slow.promise;
      }),
    );
    await bus.subscribe(new Recorder());
    let isPublished = false;
    const published = Promise.resolve(bus.append(message('slow'))).then(() => (isPublished = true));
    await begun.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(isPublished).toBe(false);
    slow.resolve();
    await published;
  });

  test('a follower that asks during a delivery is current when the waiting publications are delivered', async () => {
    await using bus = open();
    const follower = new Recorder();
    const counts: number[] = [];
    const asked: (Promise<void> | undefined)[] = [];
    const subscription = await bus.subscribe(follower);
    const asking = new Recorder((taken) => {
      if (contentOf(taken) !== 'call') return;
      void bus.append(message('echo'));
      asked.push(subscription.current()?.then(() => void counts.push(follower.taken.length)));
    });
    await bus.subscribe(asking);
    await bus.append(message('call'));
    await Promise.all(asked);
    expect(counts).toEqual([2]);
  });

  test('[LB16] a follower that is added during a delivery begins after everything published by then', async () => {
    await using bus = open();
    const [all, late] = [new Recorder(), new Recorder()];
    const published: unknown[] = [];
    await bus.subscribe(all);
    const adding = new Recorder((taken) => {
      if (contentOf(taken) !== 'call') return;
      published.push(bus.append(message('before it')));
      void bus.subscribe(late);
      published.push(bus.append(message('after it')));
    });
    await bus.subscribe(adding);
    await bus.append(message('call'));
    await Promise.all(published);
    expect(all.contents).toEqual(['call', 'before it', 'after it']);
    expect(all.places).toEqual(placesAfter(all.startedAt, 3));
    expect(late.startedAt).toEqual({ ...all.startedAt, position: all.startedAt.position + 2 });
    expect([late.contents, late.places]).toEqual([['after it'], all.places.slice(2)]);
  });

  test('[LB16] all followers see positions in order if followers publish', async () => {
    await using bus = open();
    const [before, after] = [new Recorder(), new Recorder()];
    const echoed: unknown[] = [];
    const echo = (to: string, contents: readonly string[]) =>
      bus.subscribe(
        new Recorder((taken) => {
          if (contentOf(taken) !== to) return;
          for (const content of contents) echoed.push(bus.append(message(content)));
        }),
      );
    await bus.subscribe(before);
    await echo('call', ['a', 'b']);
    await echo('call', ['c']);
    await echo('a', ['d']);
    await bus.subscribe(after);
    await bus.append(message('call'));
    await Promise.all(echoed);
    await bus.append(message('end'));
    expect(before.contents).toEqual(['call', 'a', 'b', 'c', 'd', 'end']);
    expect(before.places).toEqual(placesAfter(before.startedAt, 6));
    expect([after.contents, after.places]).toEqual([before.contents, before.places]);
  });

  test('a follower that an earlier one removes during a delivery does not receive it', async () => {
    await using bus = open();
    const follower = new Recorder();
    let later: Subscription | undefined;
    await bus.subscribe(new Recorder(() => later?.unsubscribe()));
    later = await bus.subscribe(follower);
    await bus.append(message('late'));
    expect(follower.contents).toEqual([]);
  });

  test('a follower that another one adds receives only later publications', async () => {
    await using bus = open();
    const follower = new Recorder();
    const added: unknown[] = [];
    const adding = await bus.subscribe(
      new Recorder(() => {
        adding.unsubscribe();
        added.push(bus.subscribe(follower));
      }),
    );
    await bus.append(message('before'));
    await Promise.all(added);
    await bus.append(message('after'));
    expect(follower.contents).toEqual(['after']);
  });
});

const contentsOf = (events: readonly BusEvent[]) =>
  events.map(({ d }) => ('content' in d ? d.content : undefined));

describe('the journal of the memory bus', () => {
  test('every appended event is kept in the order of the identifiers, before followers receive it', async () => {
    const kept: BusEvent[] = [];
    await using bus = memoryBus({
      ids: countedIds(),
      journaled,
      keep: (event) => void kept.push(event),
    });
    const counts: number[] = [];
    const echoing = new Recorder((taken) => {
      counts.push(kept.length);
      if (contentOf(taken) === '0') void bus.append(message('echo'));
    });
    await bus.subscribe(echoing);
    for (const content of numbered(2)) await bus.append(message(content, 'n'));
    expect(contentsOf(kept)).toEqual(['0', 'echo', '1']);
    expect(counts).toEqual([1, 2, 3]);
    expect(kept).toEqual(echoing.taken.map(({ event }) => event));
  });

  test('an event that gets no identifier is not kept, and its publisher gets the error', async () => {
    const kept: BusEvent[] = [];
    const answers = [
      () => formatId({ seconds: 1, instanceId: 1, sequence: 1 }),
      () => {
        throw new ServerError('Making an identifier');
      },
      () => formatId({ seconds: 1, instanceId: 1, sequence: 2 }),
    ];
    const ids = idsFrom(() => {
      const answer = answers.shift();
      if (answer === undefined) throw new Error('asked too often');
      return answer();
    });
    await using bus = memoryBus({ ids, journaled, keep: (event) => void kept.push(event) });
    const follower = new Recorder();
    await bus.subscribe(follower);
    await bus.append(message('first'));
    expect(() => bus.append(message('lost'))).toThrow(ServerError);
    await bus.append(message('second'));
    expect(contentsOf(kept)).toEqual(['first', 'second']);
    expect(follower.places).toEqual(placesAfter(follower.startedAt, 2));
  });

  test('[LA18] the key of an append is remembered for ten minutes, also of one before the start', async () => {
    let seconds = 0;
    const ids = idsFrom(() => formatId({ seconds, instanceId: 1, sequence: 1 }));
    const early = formatId({ seconds: 0, instanceId: 1, sequence: 0 });
    const appended = [{ key: 'early', id: early }];
    await using bus = memoryBus({ ids, journaled, keep: () => {}, appended });
    const append = async (key: string) => (await bus.appendOnce(message(key), key)).isNew;
    expect([await append('early'), await append('key')]).toEqual([false, true]);
    seconds = 599;
    expect([await append('early'), await append('key')]).toEqual([false, false]);
    seconds = 600;
    expect([await append('early'), await append('key')]).toEqual([true, true]);
    expect([await append('early'), await append('key')]).toEqual([false, false]);
  });

  test('an event that waits for its identifier when the bus is disposed is not kept', async () => {
    const kept: BusEvent[] = [];
    const reserved = Promise.withResolvers<void>();
    const id = formatId({ seconds: 1, instanceId: 1, sequence: 1 });
    const bus = memoryBus({
      ids: {
        async nextFor<Result>(use: (id: Id) => Result): Promise<Awaited<Result>> {
          await reserved.promise;
          return await use(id);
        },
      },
      journaled,
      keep: (event) => void kept.push(event),
    });
    const published = Promise.resolve(bus.append(message('late')));
    await bus[Symbol.asyncDispose]();
    reserved.resolve();
    await expect(published).rejects.toThrow('disposed');
    expect(kept).toEqual([]);
  });
});
