import { expect, test } from 'bun:test';
import { BLOCK_SIZES, hitOf, hitsInAll, hitsWithout, positionsIn } from './blocks.ts';

const hits = (...positions: readonly number[]) => positions.map(hitOf).join('');
const [FIRST, LAST] = [0, BLOCK_SIZES.most - 1];

test('[SE12] every position of a block is a character that databases store, and each is found once', () => {
  const all = Array.from({ length: BLOCK_SIZES.most }, (_, position) => position);
  expect(positionsIn(hits(...all))).toEqual(all);
  expect(hits(...all).isWellFormed()).toBe(true);
  expect(positionsIn(hits(7, LAST, 7))).toEqual([7, LAST]);
});

test('[SE3] the hits of a block that all words have are found', () => {
  expect(hitsInAll([])).toBe('');
  expect(hitsInAll([hits(FIRST, LAST)])).toBe(hits(FIRST, LAST));
  const texts = [hits(7, FIRST, LAST, 9), hits(FIRST, 5, 6, 7, LAST), hits(FIRST, 4, LAST)];
  expect(hitsInAll(texts)).toBe(hits(FIRST, LAST));
  expect(hitsInAll([...texts, ''])).toBe('');
});

test('[SE15] the hits of hidden channels are left out', () => {
  expect(hitsWithout(hits(FIRST, 5, LAST), hits(5, 6))).toBe(hits(FIRST, LAST));
  expect(hitsWithout(hits(5), '')).toBe(hits(5));
});
