import { expect, test } from 'bun:test';
import { coveringSide, inTile, roomOf, styleOf, tileOf, tileStyleOf } from './picture-box.ts';

test.each([
  ['a small one has its own size', { width: 300, height: 200 }, '300px', '300 / 200'],
  ['a large one has the largest size allowed', { width: 4000, height: 2000 }, '400px', '400 / 200'],
  ['a tiny one is large enough to click', { width: 1, height: 1 }, '48px', '48 / 48'],
])('a picture has room: %s', (_, size, width, aspectRatio) => {
  expect(styleOf(roomOf(size))).toEqual({ width, aspectRatio });
});

test.each([
  ['of one height', { width: 800, height: 600 }, '213px', '213 / 160'],
  ['never very wide', { width: 8000, height: 600 }, '280px', '280 / 160'],
  ['never very narrow', { width: 60, height: 6000 }, '48px', '48 / 160'],
  ['or as small as they are', { width: 64, height: 50 }, '64px', '64 / 50'],
])('pictures side by side are %s', (_, size, width, aspectRatio) => {
  expect(styleOf(tileOf(size))).toEqual({ width, aspectRatio });
});

test('pictures side by side have a width and a ratio for style sheets', () => {
  expect(tileStyleOf({ width: 240, height: 160 })).toEqual({
    '--tile-width': '240px',
    '--tile-ratio': '1.5',
  });
  expect(inTile({ width: 240, height: 160 })).toEqual({ width: '100%', aspectRatio: '240 / 160' });
});

test.each([
  ['a photograph', { width: 4000, height: 3000 }, 400],
  ['a small picture', { width: 30, height: 20 }, 30],
])('%s fills its room with as many pixels as it shows', (_, size, side) => {
  expect(coveringSide(size, roomOf(size))).toBe(side);
});

test('a very wide picture that covers a tile has the pixels of its height', () => {
  const size = { width: 8000, height: 800 };
  expect(coveringSide(size, tileOf(size))).toBe(1600);
});
