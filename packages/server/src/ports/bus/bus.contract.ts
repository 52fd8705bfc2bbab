import { formatId } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import type {
  Bus,
  BusListener,
  Delivery,
  Publication,
  StreamPosition,
  Subscription,
} from './bus.ts';

/** Opens the engine under test. */
export type OpenBus = () => Bus | Promise<Bus>;

/** What every engine of the bus promises. */
export function busContract(name: string, open: OpenBus, { skip = false } = {}): void {
  describe.skipIf(skip)(`the ${name} bus`, () => {
    deliveryContract(open);
    orderContract(open);
    positionContract(open);
    failureContract(open);
    lifeContract(open);
  });
}

const id = formatId({ seconds: 1, instanceId: 2, sequence: 3 });

function publication(content: string, nonce?: string): Publication {
  const message = { id, author: 'someone', content, created_at: 1_800_000_000_000 };
  const d = nonce === undefined ? message : { ...message, nonce };
  return { audience: 'everyone', event: { op: 'MESSAGE_CREATE', d } };
}

/** A listener that keeps what it was handed. */
function recorder() {
  const contents: string[] = [];
  const places: StreamPosition[] = [];
  const listener: BusListener = (taken) => {
    contents.push(contentOf(taken));
    places.push({ epoch: taken.epoch, position: taken.position });
  };
  return { contents, places, listener };
}

function contentOf({ event }: Publication): string {
  return event.d.content;
}

/** The places of `count` publications that follow one another behind `start`. */
function behind({ epoch, position }: StreamPosition, count: number): StreamPosition[] {
  return Array.from({ length: count }, (_, i) => ({ epoch, position: position + 1 + i }));
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => String(i));

function deliveryContract(open: OpenBus): void {
  test('hands a publication to every listener, whole and once', async () => {
    await using bus = await open();
    const received: [listener: number, delivery: Delivery][] = [];
    for (const listener of [1, 2, 3]) {
      bus.subscribe((taken) => void received.push([listener, taken]));
    }
    const sent = publication('grüße 👋 "quoted" \u0000', 'nonce of the poster');
    await bus.publish(sent);
    const taken = { ...sent, epoch: expect.any(String), position: expect.any(Number) };
    expect(received.toSorted(([a], [b]) => a - b)).toEqual([
      [1, taken],
      [2, taken],
      [3, taken],
    ]);
  });

  test('hands a publication that nobody listens to to nobody, also later', async () => {
    await using bus = await open();
    await bus.publish(publication('missed'));
    const { contents, listener } = recorder();
    bus.subscribe(listener);
    await bus.publish(publication('heard'));
    expect(contents).toEqual(['heard']);
  });

  test('hands a publication twice to a listener that subscribed twice, until each is removed', async () => {
    await using bus = await open();
    const { contents, listener } = recorder();
    const [one, other] = [bus.subscribe(listener), bus.subscribe(listener)];
    await bus.publish(publication('twice'));
    one.unsubscribe();
    await bus.publish(publication('once'));
    other.unsubscribe();
    await bus.publish(publication('never'));
    expect(contents).toEqual(['twice', 'twice', 'once']);
  });

  test('resolves a publish when every listener has taken the publication', async () => {
    await using bus = await open();
    const slow = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    bus.subscribe(() => {
      begun.resolve();
      return slow.promise;
    });
    bus.subscribe(() => {});
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
}

function orderContract(open: OpenBus): void {
  test('hands publications on in the order in which publish was called, without waiting between', async () => {
    await using bus = await open();
    const [first, second] = [recorder(), recorder()];
    bus.subscribe(first.listener);
    bus.subscribe(second.listener);
    const contents = numbered(500);
    await Promise.all(contents.map((content) => bus.publish(publication(content))));
    expect([first.contents, second.contents]).toEqual([contents, contents]);
  });

  test('keeps the order for a listener whose neighbour is slow', async () => {
    await using bus = await open();
    const { contents, listener } = recorder();
    const gates = numbered(20).map(() => Promise.withResolvers<void>());
    bus.subscribe((taken) => gates[Number(contentOf(taken))]?.promise);
    bus.subscribe(listener);
    const published = numbered(20).map((content) => bus.publish(publication(content)));
    for (const gate of gates.toReversed()) gate.resolve();
    await Promise.all(published);
    expect(contents).toEqual(numbered(20));
  });

  test('keeps one order for all when a listener publishes', async () => {
    await using bus = await open();
    const [before, after] = [recorder(), recorder()];
    let echoed: ReturnType<Bus['publish']> = undefined;
    bus.subscribe(before.listener);
    bus.subscribe((taken) => {
      if (contentOf(taken) === 'call') echoed = bus.publish(publication('echo'));
    });
    bus.subscribe(after.listener);
    await bus.publish(publication('call'));
    await echoed;
    expect([before.contents, after.contents]).toEqual([
      ['call', 'echo'],
      ['call', 'echo'],
    ]);
  });
}

function positionContract(open: OpenBus): void {
  test('[LB16] gives positions that grow by one in the order of publish, the same to all, whoever listens', async () => {
    await using bus = await open();
    const [first, second] = [recorder(), recorder()];
    const { startedAt } = bus.subscribe(first.listener);
    const leaving = bus.subscribe(second.listener);
    await Promise.all(numbered(100).map((content) => bus.publish(publication(content))));
    expect(first.contents).toEqual(numbered(100));
    expect(first.places).toEqual(behind(startedAt, 100));
    expect(second.places).toEqual(first.places);
    leaving.unsubscribe();
    await bus.publish(publication('to one alone'));
    expect(first.places).toEqual(behind(startedAt, 101));
  });

  test('[LB16] counts what nobody hears, and begins a listener at the position before its first delivery', async () => {
    await using bus = await open();
    const begin = bus.subscribe(() => {});
    begin.unsubscribe();
    for (const content of ['one', 'two']) await bus.publish(publication(content));
    for (const heard of [1, 2, 3]) {
      const { places, listener } = recorder();
      const subscription = bus.subscribe(listener);
      const { epoch, position } = begin.startedAt;
      expect(subscription.startedAt).toEqual({ epoch, position: position + 1 + heard });
      await bus.publish(publication('heard'));
      expect(places).toEqual(behind(subscription.startedAt, 1));
      subscription.unsubscribe();
    }
  });

  test('[LB16] begins a listener that is added during a hand-over behind all that was published by then', async () => {
    await using bus = await open();
    const all = recorder();
    const late = recorder();
    let added: Subscription | undefined;
    const published: ReturnType<Bus['publish']>[] = [];
    const { startedAt } = bus.subscribe(all.listener);
    bus.subscribe((taken) => {
      if (contentOf(taken) !== 'call') return;
      published.push(bus.publish(publication('before it')));
      added = bus.subscribe(late.listener);
      published.push(bus.publish(publication('behind it')));
    });
    await bus.publish(publication('call'));
    await Promise.all(published);
    expect(all.contents).toEqual(['call', 'before it', 'behind it']);
    expect(all.places).toEqual(behind(startedAt, 3));
    expect(added?.startedAt).toEqual({ ...startedAt, position: startedAt.position + 2 });
    expect([late.contents, late.places]).toEqual([['behind it'], all.places.slice(2)]);
  });

  test('[LB16] keeps positions in order for all when listeners publish', async () => {
    await using bus = await open();
    const [before, after] = [recorder(), recorder()];
    const echoed: ReturnType<Bus['publish']>[] = [];
    const echo = (to: string, contents: readonly string[]) =>
      bus.subscribe((taken) => {
        if (contentOf(taken) !== to) return;
        for (const content of contents) echoed.push(bus.publish(publication(content)));
      });
    const { startedAt } = bus.subscribe(before.listener);
    echo('call', ['a', 'b']);
    echo('call', ['c']);
    echo('a', ['d']);
    bus.subscribe(after.listener);
    await bus.publish(publication('call'));
    await Promise.all(echoed);
    await bus.publish(publication('end'));
    expect(before.contents).toEqual(['call', 'a', 'b', 'c', 'd', 'end']);
    expect(before.places).toEqual(behind(startedAt, 6));
    expect([after.contents, after.places]).toEqual([before.contents, before.places]);
  });

  test('[LB16] counts a publication once however its listeners fail', async () => {
    await using bus = await open();
    const { places, listener } = recorder();
    bus.subscribe(() => Promise.reject(new Error('a listener of the test')));
    const { startedAt } = bus.subscribe(listener);
    for (const content of numbered(3)) await bus.publish(publication(content));
    expect(places).toEqual(behind(startedAt, 3));
  });

  test('[LB19] has another epoch than any other bus', async () => {
    await using one = await open();
    await using other = await open();
    const epochs = [one, other].map((bus) => bus.subscribe(() => {}).startedAt.epoch);
    expect(new Set(epochs).size).toBe(2);
    for (const epoch of epochs) expect(epoch).toMatch(/^[\w-]{1,64}$/);
  });
}

function failureContract(open: OpenBus): void {
  const failures: [how: string, listener: BusListener][] = [
    [
      'throws',
      () => {
        throw new Error('a listener of the test');
      },
    ],
    ['rejects', () => Promise.reject(new Error('a listener of the test'))],
  ];

  test.each(failures)(
    'serves the others and the publisher when a listener %s',
    async (_how, failing) => {
      await using bus = await open();
      const [before, after] = [recorder(), recorder()];
      bus.subscribe(before.listener);
      bus.subscribe(failing);
      bus.subscribe(after.listener);
      for (const content of numbered(3)) await bus.publish(publication(content));
      expect([before.contents, after.contents]).toEqual([numbered(3), numbered(3)]);
    },
  );
}

function lifeContract(open: OpenBus): void {
  test('leaves alone a listener that was removed, however often, and no other', async () => {
    await using bus = await open();
    const [gone, staying] = [recorder(), recorder()];
    const subscription = bus.subscribe(gone.listener);
    bus.subscribe(staying.listener);
    await bus.publish(publication('first'));
    subscription.unsubscribe();
    subscription.unsubscribe();
    await bus.publish(publication('second'));
    expect([gone.contents, staying.contents]).toEqual([['first'], ['first', 'second']]);
  });

  test('leaves alone a listener that an earlier one removes', async () => {
    await using bus = await open();
    const { contents, listener } = recorder();
    let later: Subscription | undefined;
    bus.subscribe(() => later?.unsubscribe());
    later = bus.subscribe(listener);
    await bus.publish(publication('late'));
    expect(contents).toEqual([]);
  });

  test('hands a listener that is added by another only what is published after that', async () => {
    await using bus = await open();
    const { contents, listener } = recorder();
    const first = bus.subscribe(() => {
      first.unsubscribe();
      bus.subscribe(listener);
    });
    await bus.publish(publication('before'));
    await bus.publish(publication('after'));
    expect(contents).toEqual(['after']);
  });

  test('takes nothing and hands on nothing after its disposal', async () => {
    const bus = await open();
    const { contents, listener } = recorder();
    bus.subscribe(listener);
    await bus.publish(publication('before'));
    await bus[Symbol.asyncDispose]();
    const publishAfter = async () => bus.publish(publication('after'));
    expect(publishAfter()).rejects.toThrow(Error);
    expect(contents).toEqual(['before']);
  });
}
