import { expect, test } from 'bun:test';
import { hiddenUntil } from './voted.ts';

test('[VO6][SC27] a score is hidden for as long as its channel says, and not until a clock that was set back has caught up', () => {
  const nowMs = 1_800_000_000_000;
  const settings = { hide_scores_seconds: 60 };
  expect(hiddenUntil(nowMs - 59_999, settings, nowMs)).toBe(nowMs + 1);
  expect(hiddenUntil(nowMs - 60_000, settings, nowMs)).toBe(0);
  expect(hiddenUntil(nowMs + 1_000, settings, nowMs)).toBe(nowMs + 61_000);
  expect(hiddenUntil(nowMs + 1_001, settings, nowMs)).toBe(0);
  expect(hiddenUntil(nowMs, {}, nowMs)).toBe(0);
});
