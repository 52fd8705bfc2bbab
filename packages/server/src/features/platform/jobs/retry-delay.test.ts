import { expect, test } from 'bun:test';
import { retryDelayMs } from './retry-delay.ts';

test('[JB3] the time before the next attempt doubles up to an hour, and varies by a quarter', () => {
  const longest = [1, 2, 3, 9, 10, 1_000].map((attempts) => retryDelayMs(attempts, () => 0));
  expect(longest).toEqual([10_000, 20_000, 40_000, 2_560_000, 3_600_000, 3_600_000]);
  expect(retryDelayMs(1, () => 1)).toBe(7_500);
});
