import { expect, test } from 'bun:test';
import { systemClock } from './clock.ts';

test("[LI14] the machine's clock counts whole milliseconds, never back", () => {
  const read = Array.from({ length: 10_000 }, () => systemClock.monotonicMs());
  expect(read.filter((ms) => !Number.isSafeInteger(ms))).toEqual([]);
  expect(read).toEqual(read.toSorted((a, b) => a - b));
  expect(Number.isSafeInteger(systemClock.unixMs())).toBe(true);
});
