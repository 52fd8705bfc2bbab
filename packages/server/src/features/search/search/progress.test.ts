import { expect, test } from 'bun:test';
import { progressText } from './progress.ts';

test.each([
  [{ isComplete: true, entries: 1, of: undefined }, 'is complete: 1 entry'],
  [{ isComplete: true, entries: 1_234, of: undefined }, 'is complete: 1,234 entries'],
  [{ isComplete: false, entries: 1, of: undefined }, 'is being made: 1 entry so far'],
  [{ isComplete: false, entries: 1, of: 4 }, 'is being made: 1 of about 4 entries (25 %)'],
  [{ isComplete: false, entries: 9, of: 8 }, 'is being made: 9 of about 8 entries (99 %)'],
])('[SE13a] the progress %j is said as "%s"', (progress, text) => {
  expect(progressText(progress)).toBe(text);
});
