import { expect, test } from 'bun:test';
import { Looks } from './looks.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Looks that begin and end when a test wants them to. */
function staged() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const look = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  return { begun, ends, look };
}

test('looks of one key run one after another, and calls before a look begins share it', async () => {
  const { begun, ends, look } = staged();
  const looks = new Looks<string>();
  const resolved: string[] = [];
  const run = (name: string) => void looks.run('a', look(name)).then(() => resolved.push(name));
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
  await looks.ended();
  expect(resolved).toEqual(['first', 'shared', 'second', 'shares the second']);
});

test('looks of different keys run at the same time, at most eight of them', async () => {
  const { begun, ends, look } = staged();
  const looks = new Looks<number>();
  for (let key = 0; key < 20; key += 1) void looks.run(key, look(String(key)));
  await turn();
  expect(begun).toHaveLength(8);
  ends[3]?.();
  await turn();
  expect(begun).toHaveLength(9);
  let isOver = false;
  const over = looks.ended().then(() => (isOver = true));
  for (let ended = 0; ended < 20; ended += 1) {
    expect(isOver).toBe(false);
    ends[ended]?.();
    await turn();
  }
  await over;
  expect(begun).toEqual(Array.from({ length: 20 }, (_, key) => String(key)));
});
