import { expect, test } from 'bun:test';
import { FITTING, movedBy, zoomedAt } from './zoom.ts';

const room = { picture: { width: 400, height: 300 }, window: { width: 400, height: 600 } };

test('a picture is zoomed around the point that was touched, and never beyond its edges', () => {
  expect(zoomedAt(FITTING, { factor: 2, at: { x: 100, y: 0 } }, room)).toEqual({
    scale: 2,
    x: -100,
    y: 0,
  });
  expect(zoomedAt(FITTING, { factor: 2, at: { x: 900, y: 900 } }, room)).toEqual({
    scale: 2,
    x: -200,
    y: 0,
  });
});

test('a picture is never smaller than it fits, and not endlessly large', () => {
  expect(zoomedAt({ scale: 2, x: -100, y: 0 }, { factor: 0.1, at: { x: 0, y: 0 } }, room)).toEqual(
    FITTING,
  );
  expect(zoomedAt(FITTING, { factor: 1_000, at: { x: 0, y: 0 } }, room).scale).toBe(8);
});

test('a picture moves as far as its edges', () => {
  const zoomed = { scale: 3, x: 0, y: 0 };
  expect(movedBy(zoomed, { x: 30, y: -40 }, room)).toEqual({ scale: 3, x: 30, y: -40 });
  expect(movedBy(zoomed, { x: -9_000, y: 9_000 }, room)).toEqual({ scale: 3, x: -400, y: 150 });
  expect(movedBy(FITTING, { x: 30, y: 30 }, room)).toEqual(FITTING);
});
