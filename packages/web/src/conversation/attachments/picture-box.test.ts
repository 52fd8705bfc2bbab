import { expect, test } from 'bun:test';
import { boxOf, tileOf } from './picture-box.ts';

test.each([
  ['a small one has its own size', { width: 300, height: 200 }, '300px', '300 / 200'],
  ['a large one has the largest size allowed', { width: 4400, height: 2200 }, '440px', '440 / 220'],
  ['a tiny one is large enough to click', { width: 1, height: 1 }, '48px', '48 / 48'],
])('a picture has room: %s', (_, size, width, aspectRatio) => {
  expect(boxOf(size)).toEqual({ width, aspectRatio });
});

test.each([
  ['of one height', { width: 800, height: 600 }, '213px', '213 / 160'],
  ['never very wide', { width: 8000, height: 600 }, '280px', '280 / 160'],
  ['never very narrow', { width: 60, height: 6000 }, '48px', '48 / 160'],
  ['or as small as they are', { width: 64, height: 50 }, '64px', '64 / 50'],
])('pictures side by side are %s', (_, size, width, aspectRatio) => {
  expect(tileOf(size)).toEqual({ width, aspectRatio });
});
