import { expect, test } from 'bun:test';
import { firstInView } from './first-in-view.ts';

/** Items with these heights, one below the other, in a list that is scrolled by so much. */
const items = (heights: readonly number[], scrolled: number) => {
  let at = 100 - scrolled;
  return heights.map((height) => {
    const top = at;
    at += height;
    return { top, bottom: at };
  });
};

const VIEW = { top: 100, bottom: 700 };

test.each([
  ['that is not scrolled', [200, 200, 200, 200], 0, 0],
  ['in which the first is half covered by the header', [200, 200, 200, 200], 100, 1],
  ['in which the second begins a fraction of a pixel above the view', [200, 200], 200.4, 1],
  ['in which one fills the view', [200, 2_000, 200], 500, 1],
  ['in which one fills the view but for the beginning of the next', [200, 2_000, 200], 1_700, 2],
  ['in which the first is folded away', [0, 200, 200], 0, 1],
  ['that is scrolled to what follows its items', [200, 200], 900, 1],
  ['without items', [], 0, -1],
])('[WC188] in a list %s, `j` begins with the right item', (_list, heights, scrolled, expected) => {
  expect(firstInView(items(heights, scrolled), VIEW)).toBe(expected);
});
