import { expect, test } from 'bun:test';
import { growthOf, LINEAR } from './growth.ts';

/** Looks at as many pairs as there are, so that the compiler cannot leave them out. */
function compare(size: number, others: (at: number) => number): void {
  const marks = new Uint8Array(size);
  for (let at = 0; at < size; at += 1) {
    for (let other = 0; other < others(at); other += 1) marks[other] = (marks[at] ?? 0) + 1;
  }
}

test('growth with the square of the size is distinguished from growth with the size', () => {
  expect(growthOf((size) => compare(size, () => 100), 100_000)).toBeLessThan(LINEAR);
  expect(growthOf((size) => compare(size, (at) => at), 30_000)).toBeGreaterThan(LINEAR);
});
