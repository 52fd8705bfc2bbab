import { expect, test } from 'bun:test';
import { SharedRuns } from './shared-runs.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Runs that begin and end when a test wants them to. */
function staged() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  return { begun, ends, work };
}

test('runs of one key run one after another, and callers who ask before a run begins share it', async () => {
  const { begun, ends, work } = staged();
  const runs = new SharedRuns<string>();
  const resolved: string[] = [];
  const run = (name: string) => void runs.run('a', work(name)).then(() => resolved.push(name));
  for (const name of ['first', 'shared']) run(name);
  await turn();
  for (const name of ['second', 'shares the second']) run(name);
  await turn();
  expect([begun, resolved]).toEqual([['first'], []]);
  ends[0]?.();
  await turn();
  expect([begun, resolved]).toEqual([
    ['first', 'second'],
    ['first', 'shared'],
  ]);
  ends[1]?.();
  await runs.ended();
  expect(resolved).toEqual(['first', 'shared', 'second', 'shares the second']);
});

test('runs of different keys run at the same time, at most eight of them', async () => {
  const { begun, ends, work } = staged();
  const runs = new SharedRuns<number>();
  for (let key = 0; key < 20; key += 1) void runs.run(key, work(String(key)));
  await turn();
  expect(begun).toHaveLength(8);
  ends[3]?.();
  await turn();
  expect(begun).toHaveLength(9);
  let isOver = false;
  const over = runs.ended().then(() => (isOver = true));
  for (let ended = 0; ended < 20; ended += 1) {
    expect(isOver).toBe(false);
    ends[ended]?.();
    await turn();
  }
  await over;
  expect(begun).toEqual(Array.from({ length: 20 }, (_, key) => String(key)));
});
