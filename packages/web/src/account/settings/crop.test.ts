import { expect, test } from 'bun:test';
import { areaOf, FIRST_CROP, MOST_ZOOM, moved, settled } from './crop.ts';

const WIDE = { width: 400, height: 200 };

test('[WC107] at first, the middle of a picture is shown, as much of it as fits', () => {
  expect(areaOf(FIRST_CROP, WIDE)).toEqual({ left: 100, top: 0, side: 200 });
});

test('[WC107] a picture always fills the frame', () => {
  expect(areaOf(moved(FIRST_CROP, WIDE, { x: 5, y: 5 }), WIDE)).toMatchObject({ left: 0, top: 0 });
  expect(areaOf(moved(FIRST_CROP, WIDE, { x: -5, y: 0 }), WIDE)).toMatchObject({ left: 200 });
  expect(settled({ x: 0, y: 0, zoom: 100 }, WIDE).zoom).toBe(MOST_ZOOM);
  expect(areaOf(settled({ x: 0, y: 1, zoom: 0 }, WIDE), WIDE)).toEqual({
    left: 0,
    top: 0,
    side: 200,
  });
});

test('[WC107] a picture moves as far as the pointer does, however large it is', () => {
  const near = { ...FIRST_CROP, zoom: 2 };
  // A quarter of a frame that shows 100 pixels.
  expect(areaOf(moved(near, WIDE, { x: 0.25, y: 0 }), WIDE).left).toBe(
    areaOf(near, WIDE).left - 25,
  );
});
