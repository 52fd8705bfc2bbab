import { expect, test } from 'bun:test';
import { checkName } from './name.ts';

test.each([
  ['ad', 'ad'],
  ['  ada  ', 'ada'],
  ['👩‍🚀', '👩‍🚀'],
  ['x'.repeat(32), 'x'.repeat(32)],
  ['😀'.repeat(32), '😀'.repeat(32)],
])('%j is a valid name', (typed, name) => {
  expect(checkName(typed)).toEqual({ isValid: true, name });
});

test.each([
  ['', 'missing', 0],
  [' \t ', 'missing', 0],
  ['a', 'short', 1],
  ['😀', 'short', 1],
  ['x'.repeat(33), 'long', 33],
  ['😀'.repeat(40), 'long', 40],
] as const)('%j is not a valid name: it is %s', (typed, problem, count) => {
  expect(checkName(typed)).toEqual({ isValid: false, problem, count });
});
