import { expect, test } from 'bun:test';
import { isAtEdge, swipeOf } from './swipe.ts';

const from = { x: 100, y: 300, timeMs: 0 };

test.each([
  [{ x: 200, y: 310, timeMs: 200 }, 'right'],
  [{ x: 10, y: 290, timeMs: 200 }, 'left'],
  [{ x: 150, y: 300, timeMs: 200 }, undefined],
  [{ x: 200, y: 380, timeMs: 200 }, undefined],
  [{ x: 200, y: 300, timeMs: 900 }, undefined],
])('[WC133] a finger that ends at %j has swiped: %s', (to, direction) => {
  expect(swipeOf(from, to)).toBe(direction as never);
});

test('[WC133] a finger that begins at an edge of the page belongs to the browser', () => {
  const begins = [0, 23, 24, 200, 366, 367, 390];
  expect(begins.filter((x) => !isAtEdge(x, 390))).toEqual([24, 200, 366]);
});
