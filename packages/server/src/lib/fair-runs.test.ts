import { expect, test } from 'bun:test';
import { FairRuns, type FairRunsBounds } from './fair-runs.ts';

const BOUNDS = { running: 3, runningOfOne: 2, waiting: 100, waitingOfOne: 10 };

/** Runs that end when `end` is called, and what has begun. */
function held(bounds: Partial<FairRunsBounds> = {}) {
  const runs = new FairRuns<string>({ ...BOUNDS, ...bounds });
  const begun: string[] = [];
  const ends = new Map<string, (value: string) => void>();
  return {
    begun,
    ask: (client: string, key: string) =>
      runs.run({
        client,
        key,
        work() {
          begun.push(key);
          const { promise, resolve } = Promise.withResolvers<string>();
          ends.set(key, resolve);
          return promise;
        },
      }),
    end: async (key: string, value = key) => {
      ends.get(key)?.(value);
      // What was waiting has begun when all that is known now has been done.
      await new Promise(setImmediate);
    },
  };
}

test('[SY9] one client takes only some of the places, and clients that wait take turns', async () => {
  const { begun, ask, end } = held();
  for (const key of ['a1', 'a2', 'a3', 'a4', 'a5']) void ask('a', key);
  expect(begun).toEqual(['a1', 'a2']);
  void ask('b', 'b1');
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  void ask('b', 'b2');
  void ask('c', 'c1');
  for (const key of ['a1', 'b1', 'a2']) await end(key);
  expect(begun.slice(3)).toEqual(['a3', 'b2', 'c1']);
});

test('[SY9] a run that has not begun is shared, and begins when it is the turn of any of its clients', async () => {
  const { begun, ask, end } = held({ running: 1 });
  const first = ask('a', 'x');
  for (const key of ['a1', 'a2', 'x']) void ask('a', key);
  const again = [ask('b', 'x'), ask('b', 'x'), ask('c', 'x')];
  await end('x', 'old');
  expect(begun).toEqual(['x', 'a1']);
  await end('a1');
  expect(begun).toEqual(['x', 'a1', 'x']);
  await end('x', 'new');
  expect(await first).toBe('old');
  expect(await Promise.all(again)).toEqual(['new', 'new', 'new']);
  expect(begun).toEqual(['x', 'a1', 'x', 'a2']);
});

test('[SY9] a client that waits for too many runs is refused, and a run that fails makes room', async () => {
  const runs = new FairRuns<never>({ running: 1, runningOfOne: 1, waiting: 3, waitingOfOne: 2 });
  const { promise, reject } = Promise.withResolvers<never>();
  const ask = (client: string, key: string) => runs.run({ client, key, work: () => promise });
  const asked = [ask('a', '1'), ask('a', '2'), ask('a', '3')];
  expect(ask('a', '4')).toBeUndefined();
  expect(ask('a', '2')).toBe(asked[1]);
  asked.push(ask('b', '5'));
  expect(ask('c', '6')).toBeUndefined();
  reject(new Error('away'));
  const states = await Promise.allSettled(asked);
  expect(states.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  await expect(ask('c', '6')).rejects.toThrow('away');
});
