import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { manualClock } from '@hearth/testing/manual-clock';
import { RateLimitedError, ValidationError } from '../errors.ts';
import { Bucket, type BucketOptions, type LimitedTask } from './bucket.ts';
import type { Outcome } from './outcome.ts';

const RETRY_AFTER_MS = 1_000;

/** The limit has room: what refuses is not the limit. */
const HEADERS = new Headers({
  'X-RateLimit-Reset': '5000',
  'X-RateLimit-Max': '1000',
  'X-RateLimit-Last-Reset': '0',
  'X-RateLimit-Request-Count': '1',
});

/** A limit whose requests go to places that a test makes busy. */
function setting(options: Partial<BucketOptions> = {}) {
  const clock = manualClock();
  const startMs = clock.now();
  const busy = new Map<string, () => boolean>();
  const tried: { readonly name: string; readonly atMs: number }[] = [];
  const states: string[] = [];
  const bucket = new Bucket({
    clock,
    mostAtOnce: 1,
    mostWaiting: 1_000,
    longestWaitMs: Infinity,
    longestBusyWaitMs: 30_000,
    random: () => 0.5,
    onChange: ({ repeating, freeAtMs }) =>
      void states.push(`${repeating} ${freeAtMs > clock.now() ? 'held' : 'free'}`),
    ...options,
  });
  const attempt = async (name: string, address: string): Promise<Outcome<string>> => {
    tried.push({ name, atMs: clock.now() - startMs });
    if (busy.get(address)?.() !== true) return { ok: true, headers: HEADERS, value: name };
    const error = new RateLimitedError('Too much', RETRY_AFTER_MS, 'busy');
    return { ok: false, headers: HEADERS, error };
  };
  return {
    clock,
    bucket,
    busy,
    tried,
    states,
    send: (name: string, address: string, task: Partial<LimitedTask<string>> = {}) =>
      bucket
        .run({ address, bytes: 0, signals: [], attempt: () => attempt(name, address), ...task })
        .catch((error: unknown) => error),
    names: () => tried.map(({ name }) => name),
  };
}

/** A place that refuses this many requests. */
function refuses(count: number): () => boolean {
  let left = count;
  return () => left-- > 0;
}

test('[SK46] a request is sent again after what a busy place says and a random time, which doubles', async () => {
  const { clock, busy, tried, send } = setting();
  busy.set('a', refuses(3));
  const sent = send('vote', 'a');
  await clock.advance(60_000);
  expect(await sent).toBe('vote');
  expect(tried.map(({ atMs }) => atMs)).toEqual([0, 1_500, 3_500, 6_500]);
});

test('[SK46] clients that were refused together do not come back together', async () => {
  const times: number[] = [];
  for (let client = 0; client < 100; client += 1) {
    const { clock, busy, tried, send } = setting({ random: () => client / 100 });
    busy.set('a', refuses(1));
    void send('join', 'a');
    await clock.advance(60_000);
    times.push(tried[1]?.atMs ?? 0);
  }
  expect(new Set(times).size).toBe(100);
  expect(Math.min(...times)).toBe(RETRY_AFTER_MS);
  expect(Math.max(...times)).toBeLessThan(2 * RETRY_AFTER_MS);
});

test('[SK46] requests to one address keep their order while it is busy, and those to others do not wait', async () => {
  const { clock, busy, names, send } = setting();
  busy.set('a', refuses(2));
  for (const name of ['up', 'down', 'none']) void send(name, 'a');
  void send('elsewhere', 'b');
  await clock.advance(100);
  expect(names()).toEqual(['up', 'elsewhere']);
  await clock.advance(60_000);
  expect(names()).toEqual(['up', 'elsewhere', 'up', 'up', 'down', 'none']);
});

test('[SK46] whichever requests are refused, each is done once, in the order of its address', async () => {
  const requests = fc.array(
    fc.record({ address: fc.constantFrom('a', 'b', 'c'), refusals: fc.nat({ max: 3 }) }),
    { maxLength: 12 },
  );
  const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  await fc.assert(
    fc.asyncProperty(requests, randoms, async (sent, random) => {
      const { clock, bucket } = setting({ random: () => random, longestBusyWaitMs: Infinity });
      const done: { readonly address: string; readonly index: number }[] = [];
      const outcomes = sent.map(({ address, refusals }, index) => {
        const isRefused = refuses(refusals);
        const attempt = async (): Promise<Outcome<number>> => {
          const error = new RateLimitedError('Too much', RETRY_AFTER_MS, 'busy');
          if (isRefused()) return { ok: false, headers: HEADERS, error };
          done.push({ address, index });
          return { ok: true, headers: HEADERS, value: index };
        };
        return bucket.run({ address, bytes: 0, signals: [], attempt });
      });
      await clock.advance(1_000_000);
      expect(await Promise.all(outcomes)).toEqual(sent.map((_request, index) => index));
      for (const one of ['a', 'b', 'c']) {
        const order = done.filter(({ address }) => address === one).map(({ index }) => index);
        expect(order).toEqual(order.toSorted((before, after) => before - after));
      }
      expect([done.length, clock.timers]).toEqual([sent.length, 0]);
    }),
    { numRuns: 60 },
  );
});

test('[SK46] a busy place is no limit: it is reported as what is repeated, until that is over', async () => {
  const { clock, bucket, busy, states, send } = setting();
  busy.set('a', refuses(2));
  void send('comment', 'a');
  await clock.advance(100);
  expect(bucket.state).toMatchObject({ limit: 1_000, repeating: 1, waiting: 1 });
  await clock.advance(60_000);
  expect(bucket.state).toMatchObject({ repeating: 0, waiting: 0 });
  const changes = states.filter((state, index) => state !== states[index - 1]);
  expect(changes).toEqual(['0 free', '1 free', '0 free']);
});

test('[SK46] a place that stays busy is tried for so long, and then a request fails, and those after it', async () => {
  const { clock, busy, tried, names, send } = setting();
  busy.set('a', () => true);
  const sent = [send('one', 'a'), send('two', 'a')];
  await clock.advance(20_000);
  busy.set('b', refuses(1));
  const later = send('later', 'b');
  await clock.advance(10_000);
  for (const error of await Promise.all(sent)) {
    if (!(error instanceof RateLimitedError)) throw error;
    expect(error.code).toBe('busy');
    expect(error.retryAfterMs).toBeGreaterThan(RETRY_AFTER_MS);
  }
  expect(names()).not.toContain('two');
  expect(tried.filter(({ name }) => name === 'one').length).toBeWithin(4, 10);
  expect(await later).toBe('later');
  expect(clock.timers).toBe(0);
});

test('[SK46] a request that may not be repeated fails at once, and knows when to come again', async () => {
  const { clock, busy, names, send } = setting();
  busy.set('a', refuses(2));
  const first = await send('one', 'a', { longestBusyWaitMs: 0 });
  expect(first).toMatchObject({ code: 'busy', retryAfterMs: 1_500 });
  // The place is known to be busy.
  await clock.advance(500);
  const second = await send('two', 'a', { longestBusyWaitMs: 0 });
  expect(second).toMatchObject({ code: 'busy', retryAfterMs: 1_000 });
  await clock.advance(1_000);
  const third = await send('three', 'a', { longestBusyWaitMs: 0 });
  expect(third).toMatchObject({ code: 'busy', retryAfterMs: 2_000 });
  await clock.advance(2_000);
  expect(await send('four', 'a', { longestBusyWaitMs: 0 })).toBe('four');
  expect(names()).toEqual(['one', 'three', 'four']);
});

test('[SK46] a request for which a person waits at a form is repeated for as long as it may wait', async () => {
  const { clock, busy, tried, send } = setting();
  busy.set('a', () => true);
  const form = send('form', 'a', { longestWaitMs: 5_000 });
  await clock.advance(5_000);
  expect(await form).toMatchObject({ code: 'busy' });
  expect(tried.map(({ atMs }) => atMs)).toEqual([0, 1_500, 3_500]);
  busy.set('a', refuses(1));
  const again = send('again', 'a', { longestWaitMs: 20_000 });
  await clock.advance(20_000);
  expect(await again).toBe('again');
});

test('[SK46] an answer that refuses for another reason is final', async () => {
  const { clock, bucket } = setting();
  const refusals = [
    new RateLimitedError('Too much', RETRY_AFTER_MS, 'busy'),
    new ValidationError('no', { fieldName: 'content', error: 'no' }),
  ];
  const attempt = async (): Promise<Outcome<never>> => {
    const error = refusals.shift();
    if (error === undefined) throw new Error('it came a third time');
    return { ok: false, headers: HEADERS, error };
  };
  const sent = bucket
    .run({ address: 'a', bytes: 0, signals: [], attempt })
    .catch((error: unknown) => error);
  await clock.advance(60_000);
  expect(await sent).toBeInstanceOf(ValidationError);
});

test('[SK46] a request that is given up while its place is busy goes no more', async () => {
  const { clock, busy, names, bucket, send } = setting();
  busy.set('a', () => true);
  const abort = new AbortController();
  const sent = send('one', 'a', { signals: [abort.signal] });
  await clock.advance(1_000);
  abort.abort('enough');
  expect(await sent).toBe('enough');
  await clock.advance(60_000);
  expect(names()).toEqual(['one']);
  expect(bucket.state.repeating).toBe(0);
});

test('[SK46] a busy place is waited for no longer if the clock is set back', async () => {
  const { clock, busy, send } = setting();
  busy.set('a', refuses(1));
  const sent = send('one', 'a');
  await clock.advance(100);
  clock.set(clock.now() - 3_600_000);
  void send('another', 'b');
  await clock.advance(2_000);
  expect(await sent).toBe('one');
});
