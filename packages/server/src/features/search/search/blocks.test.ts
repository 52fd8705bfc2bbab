import { expect, test } from 'bun:test';
import {
  BLOCK_SIZES,
  hitOf,
  hitsWhere,
  marksAfter,
  marksOf,
  placeOf,
  positionsIn,
  positionsWith,
} from './blocks.ts';

const hits = (...positions: readonly number[]) => positions.map(hitOf).join('');
const hitAt = (position: number, ...places: readonly number[]) =>
  `${hitOf(position)}${places.map(placeOf).join('')}`;
const [FIRST, LAST] = [0, BLOCK_SIZES.most - 1];

const found = (...texts: readonly string[]) => [...positionsIn(texts)];
const following = (before: string, after: string) =>
  [...marksAfter(before, after).entries()].flatMap(([at, mark]) => (mark === 1 ? [at] : []));

test('[SE12] every position of a block is a character that databases store, and each is found once', () => {
  const all = Array.from({ length: BLOCK_SIZES.most }, (_, position) => position);
  expect(found(hits(...all))).toEqual(all);
  expect(hits(...all).isWellFormed()).toBe(true);
  expect(found(hits(7, LAST, 7), hits(LAST, 8))).toEqual([7, LAST, 8]);
});

test('[SE3][SE15] positions in a block are left that other hits have, or that they lack', () => {
  const positions = positionsIn([hits(7, FIRST, LAST, 9)]);
  const marks = marksOf([hits(FIRST, 5), hits(6, 7)]);
  expect([...positionsWith(positions, marks, 1)]).toEqual([7, FIRST]);
  expect([...positionsWith(positions, marks, 0)]).toEqual([LAST, 9]);
  expect([...positionsWith(positions, marksOf([]), 1)]).toEqual([]);
});

test('[SE4] a word follows another one if one of its places is the next, also if places are used again', () => {
  const before = `${hitAt(1, 0, 5)}${hitAt(2, 3)}${hitAt(3, 63)}${hitAt(4, 0)}${hitAt(LAST, 7)}`;
  const after = `${hitAt(LAST, 8)}${hitAt(1, 3, 6)}${hitAt(2, 4, 9)}${hitAt(3, 64)}${hitAt(5, 1)}${hitAt(4, 0)}`;
  expect(following(before, after)).toEqual([1, 2, 3, LAST]);
  expect(found(after)).toEqual([LAST, 1, 2, 3, 5, 4]);
});

test('[SE17] the last of several hits of an entry is kept with its places', () => {
  const all = `${hitAt(1, 2)}${hitAt(2, 7)}${hitAt(3, 1)}${hitAt(1, 4, 5)}`;
  const kept = hitsWhere(all, (position) => position !== 2);
  expect(found(kept).toSorted()).toEqual([1, 3]);
  expect(following(hitAt(1, 4), kept)).toEqual([1]);
  expect(following(hitAt(1, 1), kept)).toEqual([]);
  expect(following(hitAt(3, 0), kept)).toEqual([3]);
});
