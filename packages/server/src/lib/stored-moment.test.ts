import { expect, test } from 'bun:test';
import { ageOf } from './stored-moment.ts';

test('[SC27] a stored moment counts as the present one up to a second ahead, and as long past beyond that', () => {
  const nowMs = 1_800_000_000_000;
  expect(ageOf(nowMs - 5, nowMs)).toBe(5);
  expect(ageOf(nowMs + 1_000, nowMs)).toBe(0);
  expect(ageOf(nowMs + 1_001, nowMs)).toBe(Infinity);
});
