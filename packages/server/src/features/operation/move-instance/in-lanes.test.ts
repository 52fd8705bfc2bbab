import { expect, test } from 'bun:test';
import { inLanes } from './copy-content-table.ts';

const { signal } = new AbortController();
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('every item is handled once, and this many at a time', async () => {
  const done: number[] = [];
  let [atOnce, most] = [0, 0];
  await inLanes(Array(20).keys(), { lanes: 3, signal }, async (item) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await turn();
    atOnce -= 1;
    done.push(item);
  });
  expect(done.toSorted((a, b) => a - b)).toEqual([...Array(20).keys()]);
  expect(most).toBe(3);
});

test('the first failure ends everything, after the items in progress have ended', async () => {
  const begun: number[] = [];
  let isEnded = false;
  const working = inLanes(Array(20).keys(), { lanes: 2, signal }, async (item, lane) => {
    begun.push(item);
    if (item === 1) throw new Error('first');
    await new Promise((resolve) => lane.addEventListener('abort', resolve));
    await turn();
    isEnded = true;
    throw new Error('second');
  });
  await expect(working).rejects.toThrow('first');
  expect(begun).toEqual([0, 1]);
  expect(isEnded).toBe(true);
});

test('no item is begun after the signal is aborted', async () => {
  const stop = new AbortController();
  const begun: number[] = [];
  const working = inLanes(Array(20).keys(), { lanes: 2, signal: stop.signal }, async (item) => {
    begun.push(item);
    await turn();
    stop.abort(new Error('stopped'));
  });
  await expect(working).rejects.toThrow('stopped');
  expect(begun).toEqual([0, 1]);
});
