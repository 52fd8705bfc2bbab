import { heapStats } from 'bun:jsc';
import { expect, test } from 'bun:test';
import { fakeClock } from '@hearth/testing/fake-clock';
import {
  LIMIT_BUCKETS,
  MAX_WINDOWS,
  policiesBy,
  type LimitBucket,
  type LimitPolicies,
  type Limiter,
} from './limiter.ts';
import { memoryLimiter } from './memory.ts';

const policy = { resetAfterMs: 60_000, limit: 1 };
const policies: LimitPolicies = {
  ...policiesBy(() => policy),
  attachments: { ...policy, byteLimit: 1_000 },
};

const BOUND = 700;

interface Filled {
  readonly bucket?: LimitBucket;
  readonly from: number;
  readonly to: number;
}

function bounded(clock = fakeClock()): Limiter {
  return memoryLimiter(policies, clock, BOUND);
}

async function fill(limiter: Limiter, { bucket = 'info', from, to }: Filled): Promise<void> {
  for (let client = from; client < to; client += 1) await limiter.take(bucket, `client ${client}`);
}

async function isForgotten(limiter: Limiter, client: number): Promise<boolean> {
  return (await limiter.take('info', `client ${client}`)).allowed;
}

test('[LI6] 350,000 windows are kept by default', async () => {
  expect(MAX_WINDOWS).toBe(350_000);
  await using limiter = memoryLimiter(policies, fakeClock());
  await fill(limiter, { from: 0, to: 350_000 });
  expect(await isForgotten(limiter, 0)).toBe(false);
  await fill(limiter, { from: 350_000, to: 350_001 });
  expect(await isForgotten(limiter, 0)).toBe(true);
});

test('[LI6][LI18] an upload can end in its window even after that was forgotten', async () => {
  await using limiter = bounded();
  const verdict = await limiter.take('attachments', 'uploader');
  expect(await limiter.reserve(verdict, 800)).toBe(800);
  await fill(limiter, { bucket: 'attachments', from: 0, to: BOUND });
  expect(await limiter.reserve(verdict, 800)).toBe(200);
  await limiter.settle(verdict, 1_000, 1_000);
  expect(await limiter.standing(verdict)).toMatchObject({ sentBytes: 1_000, bytesLeft: 0 });
});

test('[LI6] the age of a client that came back is that of its new window', async () => {
  const clock = fakeClock();
  await using limiter = bounded(clock);
  await fill(limiter, { from: 0, to: 1 });
  clock.advance(30_000);
  await fill(limiter, { from: 1, to: 2 });
  clock.advance(30_000);
  await fill(limiter, { from: 0, to: 1 });
  await fill(limiter, { from: 2, to: BOUND + 1 });
  expect(await isForgotten(limiter, 0)).toBe(false);
  expect(await isForgotten(limiter, 1)).toBe(true);
});

test('[LI6] a client whose ended window is still kept counts only in its new one', async () => {
  const clock = fakeClock();
  await using limiter = bounded(clock);
  await fill(limiter, { from: 0, to: 100 });
  clock.advance(60_000);
  // Each request removes fewer ended windows than there are.
  await fill(limiter, { from: 99, to: 100 });
  await fill(limiter, { from: 100, to: 120 });
  expect(await isForgotten(limiter, 99)).toBe(false);
});

test('[LI6] half a million clients of all limits take no more memory than the kept windows', async () => {
  await using limiter = memoryLimiter(policies, fakeClock(), 35_000);
  // A verdict that is held, for example by a slow upload, must not keep later windows in memory.
  const held = await limiter.take('info', 'slow client');
  const bytesPerWindow = async (from: number, to: number) => {
    const before = heapBytes();
    for (const bucket of LIMIT_BUCKETS) await fill(limiter, { bucket, from, to });
    return (heapBytes() - before) / 35_000;
  };
  expect(await bytesPerWindow(0, 5_000)).toBeLessThan(1_000);
  expect(await bytesPerWindow(5_000, 70_000)).toBeLessThan(300);
  expect(await limiter.standing(held)).toMatchObject({ requestCount: 1 });
});

test('[LI2] the length of a window does not change when the wall clock is set', async () => {
  const clock = fakeClock();
  await using limiter = memoryLimiter(policies, clock);
  const startedAtMs = clock.unixMs();
  await limiter.take('info', 'client');
  clock.setUnixMs(startedAtMs + 3_600_000);
  const refused = { allowed: false, windowStartedAtMs: startedAtMs, retryAfterMs: 60_000 };
  expect(await limiter.take('info', 'client')).toMatchObject(refused);
  clock.setUnixMs(startedAtMs - 3_600_000);
  clock.advance(60_000);
  expect(await limiter.take('info', 'client')).toMatchObject({ allowed: true });
});

test('a verdict of another limiter is refused', async () => {
  await using limiter = memoryLimiter(policies, fakeClock());
  const verdict = { ...(await limiter.take('attachments', 'client')), window: {} };
  expect(() => limiter.reserve(verdict, 1)).toThrow('of another limiter');
});

function heapBytes(): number {
  Bun.gc(true);
  return heapStats().heapSize;
}
