import { expect, test } from 'bun:test';
import { Batches } from './batches.ts';

function openBatches(most = 500) {
  const batches: (readonly number[])[] = [];
  const doubled = new Batches<number, number>({
    most,
    async run(items) {
      batches.push(items);
      if (items.includes(13)) throw new Error('unlucky');
      return items.map((item) => item * 2);
    },
  });
  return { batches, doubled };
}

test('items that come one after another are handled at once, each with its own result', async () => {
  const { batches, doubled } = openBatches();
  for (const item of [1, 2, 3]) expect(await doubled.add(item)).toBe(item * 2);
  expect(batches).toEqual([[1], [2], [3]]);
});

test('items that come together are one batch, up to the bound, and a failed batch fails all of its items', async () => {
  const { batches, doubled } = openBatches(2);
  const results = await Promise.allSettled([1, 2, 13, 4, 5].map((item) => doubled.add(item)));
  expect(batches).toEqual([[1, 2], [13, 4], [5]]);
  expect(results.map((result) => ('value' in result ? result.value : 0))).toEqual([2, 4, 0, 0, 10]);
});

test('however many items come, few batches begin, and every item is handled', async () => {
  const { batches, doubled } = openBatches();
  const startedAt = performance.now();
  const results: Promise<number>[] = [];
  for (let item = 20; item < 2_020; item += 1) {
    results.push(doubled.add(item));
    if (item % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await Promise.all(results)).toEqual(Array.from({ length: 2_000 }, (_, i) => (i + 20) * 2));
  const periods = (performance.now() - startedAt) / 20;
  expect(batches.length).toBeLessThanOrEqual(10 + periods + 1);
  expect(batches.flat().toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 2_000 }, (_, i) => i + 20),
  );
});
