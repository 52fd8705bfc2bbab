import { effect, signal } from '@preact/signals';
import { NotFoundError } from '@hearth/sdk';
import { afterEach, describe, expect, test } from 'bun:test';
import { signalUntil } from '../../../test/support/signal-until.ts';
import { LoadQueue } from './load-queue.ts';
import { WatchedLoads, type Load, type LoadContext, type LoadOptions } from './watched-loads.ts';

interface Text {
  readonly text: string;
}

interface Asked extends LoadContext {
  readonly key: string;
  readonly done: PromiseWithResolvers<Text>;
}

/** Loads that a test finishes by hand. */
class Bench {
  readonly asked: Asked[] = [];
  readonly released: string[] = [];
  readonly limitedUntilMs = signal(0);
  readonly #waiting: ((asked: Asked) => void)[] = [];

  loads(over: Partial<LoadOptions<Text>> = {}): WatchedLoads<Text> {
    return new WatchedLoads<Text>({
      queue: new LoadQueue(2),
      limitedUntilMs: this.limitedUntilMs,
      most: 2,
      load: (key, context) => {
        const asked = { ...context, key, done: Promise.withResolvers<Text>() };
        this.asked.push(asked);
        this.#waiting.shift()?.(asked);
        return asked.done.promise;
      },
      release: ({ text }) => this.released.push(text),
      ...over,
    });
  }

  next(): Promise<Asked> {
    const { promise, resolve } = Promise.withResolvers<Asked>();
    this.#waiting.push(resolve);
    return promise;
  }
}

const stops: (() => void)[] = [];
const isReady = (load: Load<Text>) => load.state === 'ready';

function look(loads: WatchedLoads<Text>, key: string): () => void {
  const stop = effect(() => {
    void loads.get(key).value;
  });
  stops.push(stop);
  return stop;
}

async function loaded(bench: Bench, loads: WatchedLoads<Text>, key: string): Promise<void> {
  const next = bench.next();
  const stop = look(loads, key);
  (await next).done.resolve({ text: key });
  await signalUntil(loads.get(key), isReady);
  stop();
}

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

describe('what is loaded while it has subscribers', () => {
  test('a value is not requested before, and only once for all of them', async () => {
    const bench = new Bench();
    const loads = bench.loads();
    const value = loads.get('a');
    expect(value.peek().state).toBe('loading');
    const next = bench.next();
    look(loads, 'a');
    look(loads, 'a');
    (await next).done.resolve({ text: 'A' });
    expect(await signalUntil(value, isReady)).toEqual({ state: 'ready', text: 'A' });
    expect(bench.asked).toHaveLength(1);
  });

  test('a value is cancelled when the last subscriber leaves, and requested again by the next one', async () => {
    const bench = new Bench();
    const loads = bench.loads();
    const first = bench.next();
    const stop = look(loads, 'a');
    const asked = await first;
    stop();
    expect(asked.signal.aborted).toBe(true);
    asked.done.resolve({ text: 'too late' });
    const second = bench.next();
    look(loads, 'a');
    (await second).done.resolve({ text: 'A' });
    expect(await signalUntil(loads.get('a'), isReady)).toEqual({ state: 'ready', text: 'A' });
    expect(bench.released).toEqual(['too late']);
  });

  test('a value says whether it is missing or failed, and can be retried after a failure', async () => {
    const bench = new Bench();
    const loads = bench.loads();
    const first = bench.next();
    look(loads, 'a');
    (await first).done.reject(new NotFoundError('gone'));
    await signalUntil(loads.get('a'), ({ state }) => state === 'missing');
    const second = bench.next();
    look(loads, 'b');
    const error = new Error('cable');
    (await second).done.reject(error);
    const failed = await signalUntil(loads.get('b'), ({ state }) => state !== 'loading');
    expect(failed).toEqual({ state: 'failed', error });
    const third = bench.next();
    loads.retry('b');
    (await third).done.resolve({ text: 'B' });
    await signalUntil(loads.get('b'), isReady);
  });

  test('a value reports its progress, and until when it waits for a limit', async () => {
    const bench = new Bench();
    const loads = bench.loads();
    bench.limitedUntilMs.value = 7;
    const next = bench.next();
    look(loads, 'a');
    const asked = await next;
    expect(loads.get('a').value).toEqual({ state: 'waiting', untilMs: 7 });
    asked.progress(3, 9);
    expect(loads.get('a').value).toEqual({ state: 'loading', receivedBytes: 3, sizeBytes: 9 });
  });

  test('a value is released when there are too many, but not while it has subscribers', async () => {
    const bench = new Bench();
    const loads = bench.loads();
    await loaded(bench, loads, 'a');
    look(loads, 'a');
    await loaded(bench, loads, 'b');
    await loaded(bench, loads, 'c');
    expect([bench.released, loads.size]).toEqual([['b'], 2]);
    expect(loads.get('a').peek().state).toBe('ready');
  });

  test('a value is released when it takes too much memory', async () => {
    const bench = new Bench();
    const loads = bench.loads({ most: 99, mostBytes: 10, weigh: () => 4 });
    for (const key of ['a', 'b', 'c']) await loaded(bench, loads, key);
    expect(bench.released).toEqual(['a']);
    loads[Symbol.dispose]();
    expect(bench.released).toEqual(['a', 'b', 'c']);
  });

  test('a value is not requested if it is already known', async () => {
    const bench = new Bench();
    const loads = bench.loads();
    loads.set('a', { text: 'A' });
    look(loads, 'a');
    await loaded(bench, loads, 'b');
    expect(bench.asked.map(({ key }) => key)).toEqual(['b']);
  });
});

test('the latest request is loaded first, a few at a time', async () => {
  const queue = new LoadQueue(1);
  const order: number[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const number of [1, 2, 3]) {
    queue.add(async () => {
      order.push(number);
      if (order.length === 2) resolve();
    });
  }
  queue.add(async () => {
    order.push(4);
  })();
  await promise;
  expect(order).toEqual([3, 2]);
});
