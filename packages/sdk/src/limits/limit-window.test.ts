import { expect, test } from 'bun:test';
import type { LimitHeaders } from './limit-headers.ts';
import { LimitWindow } from './limit-window.ts';

const NONE = { requests: 0, bytes: 0 };

function headers(lastResetMs: number, requestCount: number): LimitHeaders {
  return { resetMs: 1_000, max: 3, lastResetMs, requestCount, byteMax: 100, sentBytes: 0 };
}

test('answers that arrive in another order than they were sent do not lower the count', () => {
  const window = new LimitWindow();
  window.answered({ ...headers(50_000, 3), sentBytes: 90 }, 50_010);
  window.answered({ ...headers(50_000, 2), sentBytes: 40 }, 50_020);
  expect(window.used(50_020)).toBe(3);
  expect(window.sentBytes(50_020)).toBe(90);
  expect(window.freeAtMs(0, 50_020)).toBe(51_010);
  window.answered(headers(49_000, 1), 50_030);
  expect(window.used(50_030)).toBe(3);
});

test('a time frame that is over says nothing, and the next one begins with its own answer', () => {
  const window = new LimitWindow();
  window.answered(headers(50_000, 3), 50_000);
  expect(window.resetsAtMs(50_999)).toBe(51_000);
  expect(window.resetsAtMs(51_000)).toBe(0);
  expect(window.freeAtMs(0, 51_000)).toBe(0);
  window.answered(headers(51_200, 1), 51_210);
  expect(window.used(51_210)).toBe(1);
  // If the instance's clock was set back, its next refusal shows how far.
  window.refused(headers(40_000, 3), 400, 53_000);
  expect(window.used(53_000)).toBe(3);
  expect(window.freeAtMs(0, 53_000)).toBe(53_400);
});

test('the smallest known difference between the clocks is the one that counts', () => {
  const window = new LimitWindow();
  window.answered(headers(50_000, 1), 50_900);
  expect(window.resetsAtMs(50_900)).toBe(51_900);
  window.answered(headers(52_000, 1), 52_010);
  expect(window.resetsAtMs(52_010)).toBe(53_010);
  window.answered(headers(54_000, 3), 54_700);
  expect(window.freeAtMs(0, 54_700)).toBe(55_010);
});

test('an upload that is larger than the limit does not wait for it', () => {
  const window = new LimitWindow();
  window.answered({ ...headers(50_000, 1), sentBytes: 60 }, 50_000);
  expect(window.freeAtMs(40, 50_001)).toBe(0);
  expect(window.freeAtMs(41, 50_001)).toBe(51_000);
  expect(window.freeAtMs(101, 50_001)).toBe(0);
  expect(window.hasRoomBeside({ requests: 1, bytes: 30 }, 11, 50_001)).toBe(false);
  expect(window.hasRoomBeside({ requests: 1, bytes: 30 }, 10, 50_001)).toBe(true);
  expect(window.hasRoomBeside({ requests: 2, bytes: 0 }, 0, 50_001)).toBe(false);
  expect(window.hasRoomBeside(NONE, 101, 50_001)).toBe(true);
});
