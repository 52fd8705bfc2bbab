import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { median, percentile } from './statistics.ts';

describe('the median', () => {
  test('the median is the middle value, whatever the order', () => {
    expect(median([30, 10, 20])).toBe(20);
  });

  test('the median is the mean of the two middle values if their number is even', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  test('the median of nothing is an error', () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe('a percentile', () => {
  test('a percentile is interpolated between two values', () => {
    expect(percentile([0, 10], 25)).toBe(2.5);
    expect([0, 100].map((percent) => percentile([5, 1, 9], percent))).toEqual([1, 9]);
  });

  test('a percentile does not change the values, and lies between them', () => {
    const values = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 100 }), (list, percent) => {
        const copy = [...list];
        const found = percentile(list, percent);
        expect(list).toEqual(copy);
        expect(found).toBeGreaterThanOrEqual(Math.min(...list));
        expect(found).toBeLessThanOrEqual(Math.max(...list));
      }),
    );
  });
});
