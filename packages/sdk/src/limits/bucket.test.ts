import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LimitModel, type LimitModelOptions } from '../../test/support/limit-model.ts';
import { manualClock, settled, type ManualClock } from '@hearth/testing/manual-clock';
import {
  FileSizeRateLimitedError,
  NetworkError,
  QueueFullError,
  RateLimitedError,
} from '../errors.ts';
import { Bucket, type BucketOptions } from './bucket.ts';

const FRAME: LimitModelOptions = { limit: 3, resetMs: 5_000, offsetMs: 0, latencyMs: 10 };

interface Setting {
  readonly clock: ManualClock;
  readonly model: LimitModel;
  readonly bucket: Bucket;
  readonly done: string[];
  readonly send: (name: string, bytes?: number, signal?: AbortSignal) => Promise<unknown>;
}

function setting(
  frame: Partial<LimitModelOptions> = {},
  options: Partial<BucketOptions> = {},
): Setting {
  const clock = manualClock();
  const model = new LimitModel(clock, { ...FRAME, ...frame });
  const bucket = new Bucket({
    clock,
    mostAtOnce: 1,
    mostWaiting: 1_000,
    longestWaitMs: Infinity,
    longestBusyWaitMs: 0,
    random: () => 0,
    onChange: () => undefined,
    ...options,
  });
  const done: string[] = [];
  return {
    clock,
    model,
    bucket,
    done,
    send: (name, bytes = 0, signal) =>
      bucket
        .run({ address: name, bytes, signals: [signal], attempt: () => model.request(name, bytes) })
        .then((value) => done.push(value))
        .catch((error: unknown) => error),
  };
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `r${index}`);
}

describe('a limit that is known', () => {
  test('a limit lets through what fits into a time frame and holds the rest for the next, without asking', async () => {
    const { clock, model, bucket, done, send } = setting();
    for (const name of names(7)) void send(name);
    await clock.advance(1_000);
    expect(done).toEqual(['r0', 'r1', 'r2']);
    expect(bucket.state).toMatchObject({ limit: 3, used: 3, waiting: 4 });
    expect(bucket.state.freeAtMs).toBe(bucket.state.resetsAtMs);
    await clock.advance(4_100);
    expect(done).toEqual(names(6));
    await clock.advance(5_000);
    expect(done).toEqual(names(7));
    expect(model.refused).toBe(0);
  });

  test.each([-86_400_000, -1, 0, 1_234, 86_400_000])(
    'a limit is kept if the clock of the instance differs by %i ms',
    async (offsetMs) => {
      const { clock, model, done, send } = setting({ offsetMs });
      for (const name of names(12)) void send(name);
      await clock.advance(4 * 5_000 + 500);
      expect(done).toEqual(names(12));
      expect(model.refused).toBe(0);
    },
  );

  test('a limit is known exactly after a refusal if other clients share it', async () => {
    const { clock, model, done, send } = setting();
    for (let used = 0; used < 3; used += 1) model.elsewhere();
    await clock.advance(4_000);
    for (const name of names(4)) void send(name);
    await clock.advance(500);
    expect([model.refused, done.length]).toEqual([1, 0]);
    await clock.advance(600);
    expect(done).toEqual(names(3));
    await clock.advance(5_000);
    expect(done).toEqual(names(4));
    expect(model.refused).toBe(1);
  });

  test('a limit holds nothing back for longer than a time frame if our clock is set back', async () => {
    const { clock, done, send } = setting();
    for (const name of names(3)) void send(name);
    await clock.advance(100);
    clock.set(clock.now() - 3_600_000);
    void send('later');
    await clock.advance(5_100);
    expect(done).toContain('later');
  });

  test('a limit makes each request wait out its refusals if our clock is set forward', async () => {
    const { clock, done, send } = setting();
    for (const name of names(3)) void send(name);
    await clock.advance(100);
    clock.set(clock.now() + 3_600_000);
    void send('later');
    await clock.advance(10_000);
    expect(done).toContain('later');
  });
});

describe('bytes', () => {
  const frame = { limit: 10, byteMax: 1_000 };

  test('bytes are waited for like requests', async () => {
    const { clock, model, done, send } = setting(frame);
    for (const [name, bytes] of [
      ['a', 600],
      ['b', 400],
      ['c', 1],
      ['d', 1_000],
    ] as const) {
      void send(name, bytes);
    }
    await clock.advance(100);
    expect(done).toEqual(['a', 'b']);
    await clock.advance(5_000);
    expect(done).toEqual(['a', 'b', 'c']);
    await clock.advance(5_100);
    expect(done).toEqual(['a', 'b', 'c', 'd']);
    expect(model.refused).toBe(0);
  });

  test('bytes count while they are in flight', async () => {
    const { clock, model, done, send } = setting({ ...frame, latencyMs: 200 }, { mostAtOnce: 5 });
    void send('first', 1);
    await clock.advance(400);
    for (const name of names(4)) void send(name, 300);
    await clock.advance(500);
    expect(done).toEqual(['first', 'r0', 'r1', 'r2']);
    await clock.advance(5_500);
    expect(done).toContain('r3');
    expect(model.refused).toBe(0);
  });

  test('that never fit are refused by the instance and not sent again', async () => {
    const { clock, model, send } = setting(frame);
    const sent = send('too large', 1_001);
    await clock.advance(100);
    expect(await sent).toBeInstanceOf(FileSizeRateLimitedError);
    expect(model.refused).toBe(1);
  });

  test('that other clients used up are waited for', async () => {
    const { clock, model, done, send } = setting(frame);
    model.elsewhere(500);
    void send('a', 600);
    await clock.advance(100);
    expect(model.refused).toBe(1);
    await clock.advance(5_000);
    expect(done).toEqual(['a']);
  });
});

describe('a request that waits', () => {
  test('a request goes in the order of arrival, also after a refusal', async () => {
    const order = fc.record({
      limit: fc.integer({ min: 1, max: 4 }),
      offsetMs: fc.integer({ min: -10_000, max: 10_000 }),
      latencyMs: fc.integer({ min: 0, max: 700 }),
      others: fc.array(fc.nat({ max: 20_000 }), { maxLength: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(order, async ({ others, ...frame }) => {
        const { clock, model, send } = setting({ ...frame, resetMs: 1_000 });
        for (const at of others) clock.after(at, () => model.elsewhere());
        for (const name of names(8)) void send(name);
        await clock.advance(60_000);
        expect(model.passed).toEqual(names(8));
        expect(clock.timers).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test('a request is never refused if nobody else uses the limit, however many go at a time', async () => {
    const frames = fc.record({
      limit: fc.integer({ min: 1, max: 9 }),
      offsetMs: fc.integer({ min: -10_000, max: 10_000 }),
      latencyMs: fc.integer({ min: 0, max: 300 }),
    });
    await fc.assert(
      fc.asyncProperty(frames, fc.integer({ min: 1, max: 6 }), async (frame, mostAtOnce) => {
        const { clock, model, send } = setting({ ...frame, resetMs: 1_000 }, { mostAtOnce });
        for (const name of names(20)) void send(name);
        await clock.advance(90_000);
        expect(model.passed.toSorted()).toEqual([...names(20)].toSorted());
        expect(model.refused).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test('a request leaves the queue when it is aborted, and the later ones move up', async () => {
    const { clock, model, done, send } = setting();
    const abort = new AbortController();
    for (const name of names(3)) void send(name);
    const given = send('given up', 0, abort.signal);
    void send('next');
    await clock.advance(100);
    abort.abort('enough');
    expect(await given).toBe('enough');
    await clock.advance(5_000);
    expect(done).toEqual([...names(3), 'next']);
    expect(model.passed).not.toContain('given up');
  });

  test('a request is refused if too many wait', async () => {
    const { clock, send, done } = setting({}, { mostWaiting: 2 });
    const sent = names(5).map((name) => send(name));
    expect(await sent[3]).toBeInstanceOf(QueueFullError);
    expect(await sent[4]).toBeInstanceOf(QueueFullError);
    await clock.advance(100);
    expect(done).toEqual(names(3));
  });

  test('a request is refused as soon as it is clear that it would wait for too long', async () => {
    const { clock, model, done, send } = setting({}, { longestWaitMs: 6_000 });
    const sent = names(9).map((name) => send(name));
    await clock.advance(5_100);
    expect(done).toEqual(names(6));
    const error = await sent[8];
    if (!(error instanceof RateLimitedError)) throw error;
    expect(error.retryAfterMs).toBeGreaterThan(4_000);
    expect(model.refused).toBe(0);
    expect(clock.timers).toBe(0);
  });
});

describe('a place with a pace of its own', () => {
  const headers = (requestCount: number) =>
    new Headers({
      'X-RateLimit-Reset': '5000',
      'X-RateLimit-Max': '3',
      'X-RateLimit-Last-Reset': '0',
      'X-RateLimit-Request-Count': String(requestCount),
    });

  test.each([
    ['the limit has room', 1, 3_000],
    ['the wait is longer than its time frame', 3, 21_600_000],
  ])(
    '[SK38] a place refuses a request, and no other one waits, if %s',
    async (_, count, retryAfterMs) => {
      const { bucket, send, done, clock } = setting();
      const error = new RateLimitedError('slow mode', retryAfterMs);
      const refused = bucket.run({
        address: 'x',
        bytes: 0,
        signals: [],
        hasOwnPace: true,
        attempt: async () => ({ ok: false, headers: headers(count), error }),
      });
      expect(await refused.catch((reason: unknown) => reason)).toBe(error);
      expect(bucket.state.freeAtMs).toBeLessThanOrEqual(clock.now() + 5_000);
      void send('elsewhere');
      await clock.advance(5_100);
      expect(done).toEqual(['elsewhere']);
    },
  );

  test('[SK38] a place holds back its own requests in their order, and no other one waits', async () => {
    const { bucket, send, done, clock } = setting();
    let answers = 0;
    const freeAtMs = clock.now() + 60_000;
    const post = (name: string) =>
      bucket.run({
        address: 'x',
        bytes: 0,
        signals: [],
        lane: 'lobby',
        attempt: async () => {
          answers += 1;
          const retryAfterMs = freeAtMs - clock.now();
          if (retryAfterMs <= 0) return { ok: true, headers: headers(1), value: done.push(name) };
          const error = new RateLimitedError('slow mode', retryAfterMs);
          return { ok: false, headers: headers(1), error };
        },
      });
    void post('one');
    void post('two');
    await settled();
    void send('elsewhere');
    await clock.advance(100);
    expect(done).toEqual(['elsewhere']);
    expect(bucket.state).toMatchObject({ waiting: 2, freeAtMs });
    await clock.advance(60_000);
    expect([done, answers]).toEqual([['elsewhere', 'one', 'two'], 3]);
  });

  test('[SK38] a place refuses what may not wait that long', async () => {
    const { bucket, clock } = setting({}, { longestWaitMs: 2_000 });
    const error = new RateLimitedError('slow mode', 60_000);
    const post = () =>
      bucket
        .run({
          address: 'x',
          bytes: 0,
          signals: [],
          lane: 'lobby',
          attempt: async () => ({ ok: false, headers: headers(1), error }),
        })
        .catch((reason: unknown) => reason);
    expect(await post()).toBe(error);
    await clock.advance(1_000);
    expect(await post()).toMatchObject({ retryAfterMs: 59_000 });
  });
});

describe('an instance whose headers are incomplete or nonsense', () => {
  function answering(options: Partial<BucketOptions> = {}) {
    const clock = manualClock();
    const bucket = new Bucket({
      clock,
      mostAtOnce: 1,
      mostWaiting: 10,
      longestWaitMs: Infinity,
      longestBusyWaitMs: 0,
      random: () => 0,
      onChange: () => undefined,
      ...options,
    });
    return { clock, bucket };
  }

  test('an instance sets no limit in advance if it sends no headers, and its refusals are obeyed', async () => {
    const { clock, bucket } = answering();
    let asked = 0;
    const run = bucket.run({
      address: 'x',
      bytes: 0,
      signals: [],
      attempt: async () => {
        asked += 1;
        const headers = new Headers({ 'X-RateLimit-Max': 'many' });
        if (asked === 3) return { ok: true, headers, value: 'yes' };
        return { ok: false, headers, error: new RateLimitedError('wait', 700) };
      },
    });
    await clock.advance(699);
    expect(asked).toBe(1);
    await clock.advance(701);
    expect(await run).toBe('yes');
    expect(bucket.state.limit).toBeUndefined();
  });

  test('an instance is asked more and more rarely if it always refuses without a time to wait', async () => {
    const { clock, bucket } = answering();
    let asked = 0;
    const abort = new AbortController();
    const run = bucket.run({
      address: 'x',
      bytes: 0,
      signals: [abort.signal],
      attempt: async () => {
        asked += 1;
        return { ok: false, headers: new Headers(), error: new RateLimitedError('wait', 0) };
      },
    });
    await clock.advance(60_000);
    expect(asked).toBeLessThan(25);
    abort.abort('enough');
    expect(await run.catch((error: unknown) => error)).toBe('enough');
  });

  test('requests that never reached the instance are not charged', async () => {
    const { bucket } = answering();
    const attempt = () => Promise.reject(new NetworkError('away'));
    const failing = bucket.run({ address: 'x', bytes: 7, signals: [], attempt });
    expect(await failing.catch((error: unknown) => error)).toBeInstanceOf(NetworkError);
    await settled();
    expect(bucket.state).toMatchObject({ used: 0, sentBytes: 0, waiting: 0 });
  });
});
