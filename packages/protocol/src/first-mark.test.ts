import { expect, test } from 'bun:test';
import { firstMark } from './first-mark.ts';
import { compareIds, firstIdAt, formatId, ID_EPOCH_SECONDS } from './ids.ts';

const JOINED_AT_MS = 1_800_000_000_250;

test('[RD2] what was posted before the second of the joining is read, and what was posted in it is not', () => {
  const mark = firstMark(JOINED_AT_MS);
  const seconds = JOINED_AT_MS / 1_000 - ID_EPOCH_SECONDS;
  const before = formatId({
    seconds: Math.floor(seconds) - 1,
    instanceId: 2 ** 48 - 1,
    sequence: 65_535,
  });
  expect(compareIds(before, mark)).toBe(0);
  expect(compareIds(firstIdAt(JOINED_AT_MS), mark)).toBeGreaterThan(0);
});

test('[RD2] a member who joined before identifiers began has read nothing', () => {
  expect(firstMark(0)).toBe(formatId({ seconds: 0, instanceId: 0, sequence: 0 }));
});
