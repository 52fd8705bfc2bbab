import { describe, expect, test } from 'bun:test';
import { mediaSizeFor, shownSize } from './pictures.ts';

test.each([
  [1, 96],
  [96, 96],
  [96.5, 400],
  [1_600, 1_600],
  [9_999, 1_600],
])('for %d pixels, the size is %d', (pixels, size) => {
  expect(mediaSizeFor(pixels, [1_600, 96, 400, 800])).toBe(size);
  expect(mediaSizeFor(pixels, [])).toBeUndefined();
});

describe('the sides of a picture', () => {
  const lying = btoa('\0\0\0\0\x80');
  const upright = btoa('\0\0\0\0\x7f');
  const picture = (width: number, height: number, placeholder: string) =>
    shownSize({ metadata: { type: 'image', width, height }, placeholder });

  test('the sides are turned if its placeholder lies the other way', () => {
    expect(picture(4, 3, upright)).toEqual({ width: 3, height: 4 });
    expect(picture(3, 4, lying)).toEqual({ width: 4, height: 3 });
    expect(picture(4, 3, lying)).toEqual({ width: 4, height: 3 });
    expect(picture(3, 4, upright)).toEqual({ width: 3, height: 4 });
    expect(picture(3, 3, lying)).toEqual({ width: 3, height: 3 });
  });

  test.each(['', '=', 'no base64', 'AAAA'])(
    'the sides are those of its metadata if that is %j',
    (text) => {
      expect(picture(4, 3, text)).toEqual({ width: 4, height: 3 });
      expect(shownSize({ metadata: { type: 'video', width: 4, height: 3 } })).toEqual({
        width: 4,
        height: 3,
      });
    },
  );

  test('the sides are unknown for other files', () => {
    expect(shownSize({ metadata: { type: 'text' } })).toBeUndefined();
  });
});
