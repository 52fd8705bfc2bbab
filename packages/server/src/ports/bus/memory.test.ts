import { describe, expect, test } from 'bun:test';
import { formatId, ServerError, type Id, type LobbyMessage } from '@hearth/protocol';
import {
  behind,
  contentOf,
  numbered,
  publication,
  Recorder,
} from '../../../test/support/bus-recorder.ts';
import { countedIds, idsFrom } from '../../../test/support/id-source.ts';
import { busContract } from './bus.contract.ts';
import type { Bus, Subscription } from './bus.ts';
import { memoryBus } from './memory.ts';

const open = () => memoryBus({ ids: countedIds(), keep: () => {} });

busContract('memory', open);

/** What only an engine can promise that hands on within `publish`. */
describe('the memory bus within a process', () => {
  test('has handed on when publish returns, and everything is current', async () => {
    await using bus = open();
    const follower = new Recorder();
    const subscription = await bus.subscribe(follower);
    expect(bus.publish(publication('now'))).toBeUndefined();
    expect(follower.contents).toEqual(['now']);
    expect(subscription.current()).toBeUndefined();
  });

  test('resolves a publish when every follower has taken the publication', async () => {
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
    const published = Promise.resolve(bus.publish(publication('slow'))).then(
      () => (isPublished = true),
    );
    await begun.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(isPublished).toBe(false);
    slow.resolve();
    await published;
  });

  test('is current, for a follower that asks while it takes, when it has handed on what waits', async () => {
    await using bus = open();
    const follower = new Recorder();
    const counts: number[] = [];
    const asked: (Promise<void> | undefined)[] = [];
    const subscription = await bus.subscribe(follower);
    const asking = new Recorder((taken) => {
      if (contentOf(taken) !== 'call') return;
      void bus.publish(publication('echo'));
      asked.push(subscription.current()?.then(() => void counts.push(follower.taken.length)));
    });
    await bus.subscribe(asking);
    await bus.publish(publication('call'));
    await Promise.all(asked);
    expect(counts).toEqual([2]);
  });

  test('[LB16] begins a follower that is added during a hand-over behind all that was published by then', async () => {
    await using bus = open();
    const [all, late] = [new Recorder(), new Recorder()];
    const published: ReturnType<Bus['publish']>[] = [];
    await bus.subscribe(all);
    const adding = new Recorder((taken) => {
      if (contentOf(taken) !== 'call') return;
      published.push(bus.publish(publication('before it')));
      void bus.subscribe(late);
      published.push(bus.publish(publication('behind it')));
    });
    await bus.subscribe(adding);
    await bus.publish(publication('call'));
    await Promise.all(published);
    expect(all.contents).toEqual(['call', 'before it', 'behind it']);
    expect(all.places).toEqual(behind(all.startedAt, 3));
    expect(late.startedAt).toEqual({ ...all.startedAt, position: all.startedAt.position + 2 });
    expect([late.contents, late.places]).toEqual([['behind it'], all.places.slice(2)]);
  });

  test('[LB16] keeps positions in order for all when followers publish', async () => {
    await using bus = open();
    const [before, after] = [new Recorder(), new Recorder()];
    const echoed: ReturnType<Bus['publish']>[] = [];
    const echo = (to: string, contents: readonly string[]) =>
      bus.subscribe(
        new Recorder((taken) => {
          if (contentOf(taken) !== to) return;
          for (const content of contents) echoed.push(bus.publish(publication(content)));
        }),
      );
    await bus.subscribe(before);
    await echo('call', ['a', 'b']);
    await echo('call', ['c']);
    await echo('a', ['d']);
    await bus.subscribe(after);
    await bus.publish(publication('call'));
    await Promise.all(echoed);
    await bus.publish(publication('end'));
    expect(before.contents).toEqual(['call', 'a', 'b', 'c', 'd', 'end']);
    expect(before.places).toEqual(behind(before.startedAt, 6));
    expect([after.contents, after.places]).toEqual([before.contents, before.places]);
  });

  test('leaves alone a follower that an earlier one removes', async () => {
    await using bus = open();
    const follower = new Recorder();
    let later: Subscription | undefined;
    await bus.subscribe(new Recorder(() => later?.unsubscribe()));
    later = await bus.subscribe(follower);
    await bus.publish(publication('late'));
    expect(follower.contents).toEqual([]);
  });

  test('hands a follower that is added by another only what is published after that', async () => {
    await using bus = open();
    const follower = new Recorder();
    const added: unknown[] = [];
    const adding = await bus.subscribe(
      new Recorder(() => {
        adding.unsubscribe();
        added.push(bus.subscribe(follower));
      }),
    );
    await bus.publish(publication('before'));
    await Promise.all(added);
    await bus.publish(publication('after'));
    expect(follower.contents).toEqual(['after']);
  });
});

describe('what the memory bus keeps', () => {
  test('is every message without its nonce, in the order of its identifiers, before followers have it', async () => {
    const kept: LobbyMessage[] = [];
    await using bus = memoryBus({ ids: countedIds(), keep: (message) => void kept.push(message) });
    const counts: number[] = [];
    const echoing = new Recorder((taken) => {
      counts.push(kept.length);
      if (contentOf(taken) === '0') void bus.publish(publication('echo'));
    });
    await bus.subscribe(echoing);
    for (const content of numbered(2)) await bus.publish(publication(content, 'n'));
    expect(kept.map(({ content }) => content)).toEqual(['0', 'echo', '1']);
    expect(counts).toEqual([1, 2, 3]);
    expect(kept.map((message) => ({ ...message, nonce: 'n' }))).toEqual(
      echoing.taken.map(({ event }) => ({ ...event.d, nonce: 'n' })),
    );
    expect(Object.keys(kept[0] ?? {})).toEqual(['id', 'author', 'content', 'created_at']);
  });

  test('is nothing of what got no identifier, whose publisher is told', async () => {
    const kept: LobbyMessage[] = [];
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
    await using bus = memoryBus({ ids, keep: (message) => void kept.push(message) });
    const follower = new Recorder();
    await bus.subscribe(follower);
    await bus.publish(publication('first'));
    expect(() => bus.publish(publication('lost'))).toThrow(ServerError);
    await bus.publish(publication('second'));
    expect(kept.map(({ content }) => content)).toEqual(['first', 'second']);
    expect(follower.places).toEqual(behind(follower.startedAt, 2));
  });

  test('is nothing that waited for its identifier when the bus was disposed of', async () => {
    const kept: LobbyMessage[] = [];
    const reserved = Promise.withResolvers<void>();
    const id = formatId({ seconds: 1, instanceId: 1, sequence: 1 });
    const bus = memoryBus({
      ids: {
        async nextFor<Result>(use: (id: Id) => Result): Promise<Awaited<Result>> {
          await reserved.promise;
          return await use(id);
        },
      },
      keep: (message) => void kept.push(message),
    });
    const published = Promise.resolve(bus.publish(publication('late')));
    await bus[Symbol.asyncDispose]();
    reserved.resolve();
    await expect(published).rejects.toThrow('disposed');
    expect(kept).toEqual([]);
  });
});
