import { expect, test } from 'bun:test';
import { jsonLogger } from '../log/logger.ts';
import { StartError } from '../lib/start-error.ts';
import { connectWithin, type Reaching } from './connect-within.ts';

/** What comes of one attempt, and how long it takes. */
interface Attempt {
  readonly takesMs?: number;
  readonly error?: unknown;
}

/** Tries in a time of its own, in which the attempts come to what they are said to; the last one over and over. */
async function tried(attempts: readonly Attempt[], told: Partial<Reaching<string>> = {}) {
  let now = 5_000;
  const logged: string[] = [];
  const beganAtMs: number[] = [];
  const outcome = connectWithin<string>(
    {
      variable: 'DATABASE_URL',
      place: 'db:5432/hearth',
      timeoutMs: 30_000,
      log: jsonLogger('info', (line) => logged.push(JSON.parse(line).msg)),
      async connect() {
        const attempt = attempts[Math.min(beganAtMs.length, attempts.length - 1)] ?? {};
        beganAtMs.push(now - 5_000);
        now += attempt.takesMs ?? 0;
        if ('error' in attempt) throw attempt.error;
        return 'connected';
      },
      isLasting: (error) => error instanceof RangeError,
      ...told,
    },
    {
      nowMs: () => now,
      async wait(ms) {
        now += ms;
      },
    },
  );
  const settled = await outcome.catch((error: unknown) => error);
  return { settled, logged, beganAtMs };
}

const refused = new Error('connection refused');

test('says nothing where the first attempt succeeds', async () => {
  expect(await tried([{}])).toEqual({ settled: 'connected', logged: [], beganAtMs: [0] });
});

test('tells of the first failure alone, and waits longer each time, 2 s at the most', async () => {
  const failures = Array.from({ length: 8 }, () => ({ error: refused }));
  expect(await tried([...failures, {}])).toEqual({
    settled: 'connected',
    logged: ['DATABASE_URL: cannot reach db:5432/hearth, trying for 30 s: connection refused'],
    beganAtMs: [0, 100, 300, 700, 1_500, 3_100, 5_100, 7_100, 9_100],
  });
});

test('tells of the first failure before it tries again', async () => {
  const logged: string[] = [];
  let loggedBefore: number | undefined;
  await connectWithin({
    variable: 'DATABASE_URL',
    place: 'db:5432/hearth',
    timeoutMs: 30_000,
    log: jsonLogger('info', (line) => logged.push(line)),
    async connect() {
      if (loggedBefore === undefined) {
        loggedBefore = logged.length;
        throw refused;
      }
      loggedBefore = logged.length;
    },
    isLasting: () => false,
  });
  expect(loggedBefore).toBe(1);
});

test('gives up with the last reason when the time is over, after an attempt at its very end', async () => {
  const { settled, beganAtMs } = await tried([{ error: refused }, { error: new Error('reset') }], {
    timeoutMs: 1_000,
  });
  expect(settled).toBeInstanceOf(StartError);
  expect(settled).toHaveProperty(
    'message',
    'DATABASE_URL: cannot reach db:5432/hearth within 1 s: reset',
  );
  expect(beganAtMs).toEqual([0, 100, 300, 700, 1_000]);
});

test('counts the time that attempts take', async () => {
  const { settled, beganAtMs } = await tried([{ takesMs: 2_500, error: refused }], {
    timeoutMs: 5_000,
  });
  expect(settled).toBeInstanceOf(StartError);
  expect(beganAtMs).toEqual([0, 2_600]);
});

test('tries once where there is no time at all', async () => {
  const { settled, logged, beganAtMs } = await tried([{ error: refused }], { timeoutMs: 0 });
  expect(settled).toBeInstanceOf(StartError);
  expect([logged, beganAtMs]).toEqual([[], [0]]);
});

test('gives up at once where waiting does not mend it', async () => {
  const { settled, beganAtMs } = await tried([
    { error: refused },
    { error: new RangeError('wrong password') },
  ]);
  expect(settled).toBeInstanceOf(StartError);
  expect(settled).toHaveProperty(
    'message',
    'DATABASE_URL: cannot use db:5432/hearth: wrong password',
  );
  expect(beganAtMs).toEqual([0, 100]);
});

test('hands on what already tells the owner what to mend', async () => {
  const mend = new StartError('REDIS_URL: is needed');
  expect(await tried([{ error: mend }])).toEqual({ settled: mend, logged: [], beganAtMs: [0] });
});

test.each([
  [new AggregateError([new Error('connect ECONNREFUSED ::1:5432'), refused], ''), 'ECONNREFUSED'],
  [new AggregateError([], 'all of them failed'), 'all of them failed'],
  [Object.assign(new Error(''), { code: 'ECONNRESET' }), 'ECONNRESET'],
  [new Error(''), 'no reason was given'],
  ['thrown as text', 'thrown as text'],
])('tells a reason where the error itself has none, %#', async (error, reason) => {
  const { settled } = await tried([{ error }], { timeoutMs: 0 });
  expect(settled).toHaveProperty('message', expect.stringContaining(`within 0 s: `));
  expect(settled).toHaveProperty('message', expect.stringContaining(reason));
  expect(settled).toHaveProperty('message', expect.not.stringContaining('undefined'));
});
