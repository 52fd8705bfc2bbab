import { expect, test } from 'bun:test';
import { DISCONNECT_REASONS, type DisconnectReason } from '@hearth/protocol';
import fc from 'fast-check';
import { retryAfterMs } from './retry-after.ts';

const reason = fc.constantFrom<DisconnectReason[]>(
  'dead',
  'rate_limited',
  'too_slow',
  'full',
  'shutdown',
  'banned',
  'access_code',
  'unauthorized',
  'server_error',
);
/** Values that Math.random gives, including its extremes. */
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const waitMs = fc.oneof(
  fc.constant(0),
  fc.integer({ min: -100_000_000, max: 100_000_000 }),
  fc.double({ min: -1_000, max: 1_000, noNaN: true }),
);

test('[LB22] retry_after is a whole number of milliseconds, at least the time to wait and not much more', () => {
  fc.assert(
    fc.property(reason, waitMs, chance, (why, wait, random) => {
      const retryAfter = retryAfterMs(why, wait, () => random);
      expect(Number.isSafeInteger(retryAfter)).toBe(true);
      expect(retryAfter).toBeGreaterThanOrEqual(Math.max(0, wait));
      expect(retryAfter).toBeLessThanOrEqual(Math.max(0, wait) + 15_000 + 1);
    }),
  );
});

test.each<[reason: DisconnectReason, least: number, most: number]>([
  ['dead', 0, 1_000],
  ['rate_limited', 0, 500],
  ['too_slow', 0, 2_000],
  ['full', 5_000, 15_000],
  ['shutdown', 1_000, 5_000],
  ['banned', 5_000, 15_000],
  ['access_code', 5_000, 15_000],
  ['unauthorized', 5_000, 15_000],
  ['server_error', 1_000, 5_000],
])('[LB22] after %p, clients come back after a random time of %d to %d ms', (why, ...range) => {
  const [least, most] = range;
  expect([0, 0.25, 0.5, 1].map((random) => retryAfterMs(why, 0, () => random))).toEqual([
    least,
    least + (most - least) / 4,
    (least + most) / 2,
    most,
  ]);
  expect(retryAfterMs(why, 7_000.25, () => 0)).toBe(7_001 + least);
  expect(retryAfterMs(why, -7_000, () => 0)).toBe(least);
});

test('[LB22] there is a time for every reason, and it differs from client to client', () => {
  for (const why of Object.keys(DISCONNECT_REASONS) as DisconnectReason[]) {
    const times = Array.from({ length: 200 }, () => retryAfterMs(why, 0));
    expect(new Set(times).size).toBeGreaterThan(20);
  }
});
