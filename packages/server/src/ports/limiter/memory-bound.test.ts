import { heapStats } from 'bun:jsc';
import { expect, test } from 'bun:test';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { MAX_WINDOWS, type LimitPolicies, type Limiter } from './limiter.ts';
import { memoryLimiter } from './memory.ts';

const policy = { resetAfterMs: 60_000, limit: 1 };
const policies: LimitPolicies = {
  info: policy,
  message_create: policy,
  message_list: policy,
  rate_limits: policy,
  gateway: policy,
  attachments: { ...policy, byteLimit: 1_000 },
  fetch_file: policy,
};

async function fill(limiter: Limiter, from: number, to: number): Promise<void> {
  for (let client = from; client < to; client += 1) await limiter.take('info', `client ${client}`);
}

async function isForgotten(limiter: Limiter, client: number): Promise<boolean> {
  return (await limiter.take('info', `client ${client}`)).allowed;
}

test('[LI6] 50,000 windows are kept of each limit', async () => {
  expect(MAX_WINDOWS).toBe(50_000);
  await using limiter = memoryLimiter(policies, fakeClock());
  await fill(limiter, 0, 50_000);
  await limiter.take('message_create', 'of another limit');
  expect(await isForgotten(limiter, 0)).toBe(false);
  expect(await isForgotten(limiter, 49_999)).toBe(false);
});

test('[LI6] of 50,001 windows the oldest goes, and no other', async () => {
  await using limiter = memoryLimiter(policies, fakeClock());
  await fill(limiter, 0, 50_000);
  // A request of a client that is known does not make its window younger.
  await limiter.take('info', 'client 0');
  await fill(limiter, 50_000, 50_001);
  expect(await isForgotten(limiter, 1)).toBe(false);
  expect(await isForgotten(limiter, 50_000)).toBe(false);
  expect(await isForgotten(limiter, 0)).toBe(true);
  // Client 0 has come back with a new window, so client 1's is the one that went.
  expect(await isForgotten(limiter, 2)).toBe(false);
  expect(await isForgotten(limiter, 1)).toBe(true);
});

test('[LI6][LI18] an upload whose window was forgotten ends in it all the same', async () => {
  await using limiter = memoryLimiter(policies, fakeClock());
  const verdict = await limiter.take('attachments', 'uploader');
  expect(await limiter.reserve(verdict, 800)).toBe(800);
  for (let i = 0; i < MAX_WINDOWS; i += 1) await limiter.take('attachments', `client ${i}`);
  expect(await limiter.reserve(verdict, 800)).toBe(200);
  await limiter.settle(verdict, 1_000, 1_000);
  expect(await limiter.standing(verdict)).toMatchObject({ sentBytes: 1_000, bytesLeft: 0 });
});

test('[LI6] windows that have ended make room before one that has not is forgotten', async () => {
  const clock = fakeClock();
  await using limiter = memoryLimiter(policies, clock);
  await fill(limiter, 0, 25_000);
  clock.advance(30_000);
  await fill(limiter, 25_000, 50_000);
  clock.advance(30_000);
  await fill(limiter, 50_000, 75_000);
  expect(await isForgotten(limiter, 25_000)).toBe(false);
});

test('[LI6] a client that came back is as old as its new window', async () => {
  const clock = fakeClock();
  await using limiter = memoryLimiter(policies, clock);
  await fill(limiter, 0, 1);
  clock.advance(30_000);
  await fill(limiter, 1, 2);
  clock.advance(30_000);
  await fill(limiter, 0, 1);
  await fill(limiter, 2, 50_001);
  expect(await isForgotten(limiter, 0)).toBe(false);
  expect(await isForgotten(limiter, 1)).toBe(true);
});

test('[LI6] half a million clients take no more memory than 50,000', async () => {
  await using limiter = memoryLimiter(policies, fakeClock());
  // A verdict that is held, as a slow upload holds its own, must not hold the windows after it.
  const held = await limiter.take('info', 'slow client');
  const bytesPerWindow = async (from: number, to: number) => {
    const before = heapBytes();
    await fill(limiter, from, to);
    return (heapBytes() - before) / MAX_WINDOWS;
  };
  expect(await bytesPerWindow(0, 50_000)).toBeLessThan(1_000);
  expect(await bytesPerWindow(50_000, 500_000)).toBeLessThan(300);
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
