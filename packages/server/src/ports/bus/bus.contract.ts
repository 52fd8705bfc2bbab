import { describe, expect, test } from 'bun:test';
import type { Bus, BusListener, Publication } from './bus.ts';

/** Opens the engine under test. */
export type OpenBus = () => Bus | Promise<Bus>;

/** What every engine of the bus promises. */
export function busContract(name: string, open: OpenBus, { skip = false } = {}): void {
  describe.skipIf(skip)(`the ${name} bus`, () => {
    deliveryContract(open);
    orderContract(open);
    failureContract(open);
    lifeContract(open);
  });
}

function publication(content: string): Publication {
  return {
    audience: 'everyone',
    event: { op: 'MESSAGE_CREATE', d: { author: 'someone', content } },
  };
}

/** A listener that keeps what it was handed. */
function recorder(): { readonly contents: string[]; readonly listener: BusListener } {
  const contents: string[] = [];
  return { contents, listener: (taken) => void contents.push(contentOf(taken)) };
}

function contentOf({ event }: Publication): string {
  return event.op === 'MESSAGE_CREATE' ? event.d.content : event.op;
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => String(i));

function deliveryContract(open: OpenBus): void {
  test('hands a publication to every listener, whole and once', async () => {
    await using bus = await open();
    const received: [listener: number, publication: Publication][] = [];
    for (const listener of [1, 2, 3]) {
      bus.subscribe((taken) => void received.push([listener, taken]));
    }
    const sent = publication('grüße 👋 "quoted" \u0000');
    await bus.publish(sent);
    expect(received.toSorted(([a], [b]) => a - b)).toEqual([
      [1, sent],
      [2, sent],
      [3, sent],
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
    const removers = [bus.subscribe(listener), bus.subscribe(listener)];
    await bus.publish(publication('twice'));
    removers[0]?.();
    await bus.publish(publication('once'));
    removers[1]?.();
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
    const remove = bus.subscribe(gone.listener);
    bus.subscribe(staying.listener);
    await bus.publish(publication('first'));
    remove();
    remove();
    await bus.publish(publication('second'));
    expect([gone.contents, staying.contents]).toEqual([['first'], ['first', 'second']]);
  });

  test('leaves alone a listener that an earlier one removes', async () => {
    await using bus = await open();
    const { contents, listener } = recorder();
    let remove: (() => void) | undefined;
    bus.subscribe(() => remove?.());
    remove = bus.subscribe(listener);
    await bus.publish(publication('late'));
    expect(contents).toEqual([]);
  });

  test('hands a listener that is added by another only what is published after that', async () => {
    await using bus = await open();
    const { contents, listener } = recorder();
    const unsubscribe = bus.subscribe(() => {
      unsubscribe();
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
