import { beforeEach, describe, expect, test } from 'bun:test';
import { PictureGestures } from './picture-gestures.ts';

const room = { picture: { width: 400, height: 300 }, window: { width: 400, height: 600 } };
const steps: number[] = [];
let gestures: PictureGestures;

beforeEach(() => {
  steps.length = 0;
  gestures = new PictureGestures({ room: () => room, go: (step) => steps.push(step) });
});

/** One finger goes through these points. */
function drag(...points: readonly (readonly [x: number, y: number])[]): void {
  const [first = [0, 0], ...rest] = points;
  gestures.down(1, { x: first[0], y: first[1] });
  for (const [x, y] of rest) gestures.move(1, { x, y });
  gestures.up(1, 1_000);
}

function tap(x: number, ms: number): void {
  gestures.down(1, { x, y: 0 });
  gestures.up(1, ms);
}

describe('[WC29] in a large picture', () => {
  test('a swipe goes to the next or the previous picture', () => {
    drag([100, 0], [60, 4], [20, 8]);
    drag([0, 0], [90, 10]);
    expect([steps, gestures.swipe.value]).toEqual([[1, -1], 0]);
  });

  test('a picture follows the finger, and returns if that was no swipe', () => {
    gestures.down(1, { x: 0, y: 0 });
    gestures.move(1, { x: -30, y: 0 });
    expect([gestures.swipe.value, gestures.isHeld.value]).toEqual([-30, true]);
    gestures.up(1, 1_000);
    drag([0, 0], [60, 200]);
    expect([steps, gestures.swipe.value, gestures.isHeld.value]).toEqual([[], 0, false]);
  });

  test('a double tap zooms in at its point, and out again', () => {
    tap(100, 1_000);
    expect(gestures.zoom.value.scale).toBe(1);
    tap(104, 1_200);
    expect(gestures.zoom.value).toEqual({ scale: 2.5, x: -156, y: 0 });
    tap(100, 2_000);
    tap(100, 2_100);
    expect(gestures.zoom.value.scale).toBe(1);
  });

  test('two slow taps, and two taps far from each other, are no double tap', () => {
    tap(0, 1_000);
    tap(0, 1_400);
    tap(200, 1_500);
    expect(gestures.zoom.value.scale).toBe(1);
  });

  test('two fingers zoom by their distance', () => {
    gestures.down(1, { x: -50, y: 0 });
    gestures.down(2, { x: 50, y: 0 });
    gestures.move(1, { x: -100, y: 0 });
    gestures.move(2, { x: 100, y: 0 });
    expect(gestures.zoom.value.scale).toBeCloseTo(2);
    gestures.up(1, 1_000);
    gestures.up(2, 1_010);
    expect([gestures.zoom.value.scale, gestures.hasMoved, steps]).toEqual([2, true, []]);
  });

  test('one finger moves a picture that is zoomed in', () => {
    gestures.toggle();
    drag([0, 0], [-100, 0]);
    expect([gestures.zoom.value.x, steps]).toEqual([-100, []]);
  });

  test('a finger that the browser took over does nothing', () => {
    gestures.down(1, { x: 0, y: 0 });
    gestures.move(1, { x: 90, y: 0 });
    gestures.cancel(1);
    gestures.up(1, 1_000);
    expect([steps, gestures.swipe.value]).toEqual([[], 0]);
  });

  test('arrows change the picture, or move one that is zoomed in; other keys zoom', () => {
    expect([gestures.key('ArrowRight'), gestures.key('ArrowLeft')]).toEqual([true, true]);
    expect(steps).toEqual([1, -1]);
    gestures.key('+');
    expect(gestures.zoom.value.scale).toBe(1.5);
    gestures.key('ArrowRight');
    expect([gestures.zoom.value.x, steps.length]).toEqual([-80, 2]);
    gestures.key('0');
    expect(gestures.zoom.value.scale).toBe(1);
    expect([gestures.key('ArrowUp'), gestures.key('x')]).toEqual([false, false]);
  });
});
