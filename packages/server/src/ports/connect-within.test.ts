import { expect, test } from 'bun:test';
import { jsonLogger } from '../log/logger.ts';
import { StartError } from '../lib/start-error.ts';
import { connectWithin, type Reaching } from './connect-within.ts';

/** The outcome of one attempt, and how long it takes. */
interface Attempt {
  readonly takesMs?: number;
  readonly error?: unknown;
}

/** Connects in simulated time. The attempts have the given outcomes, and further ones repeat the last outcome. */
async function tried(attempts: readonly Attempt[], options: Partial<Reaching<string>> = {}) {
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
      ...options,
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

test('nothing is logged if the first attempt succeeds', async () => {
  expect(await tried([{}])).toEqual({ settled: 'connected', logged: [], beganAtMs: [0] });
});

test('only the first failure is logged, and the wait doubles after each failure up to 2 s', async () => {
  const failures = Array.from({ length: 8 }, () => ({ error: refused }));
  expect(await tried([...failures, {}])).toEqual({
    settled: 'connected',
    logged: ['DATABASE_URL: cannot reach db:5432/hearth, trying for 30 s: connection refused'],
    beganAtMs: [0, 100, 300, 700, 1_500, 3_100, 5_100, 7_100, 9_100],
  });
});

test('the first failure is logged before the second attempt', async () => {
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

test('the last attempt begins when the time is up, and the error gives the reason of its failure', async () => {
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

test('the time that attempts take counts towards the limit', async () => {
  const { settled, beganAtMs } = await tried([{ takesMs: 2_500, error: refused }], {
    timeoutMs: 5_000,
  });
  expect(settled).toBeInstanceOf(StartError);
  expect(beganAtMs).toEqual([0, 2_600]);
});

test('there is one attempt if the time limit is 0', async () => {
  const { settled, logged, beganAtMs } = await tried([{ error: refused }], { timeoutMs: 0 });
  expect(settled).toBeInstanceOf(StartError);
  expect([logged, beganAtMs]).toEqual([[], [0]]);
});

test('an error that waiting cannot fix is thrown at once', async () => {
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

test('a StartError is thrown unchanged', async () => {
  const startError = new StartError('REDIS_URL: is needed');
  expect(await tried([{ error: startError }])).toEqual({
    settled: startError,
    logged: [],
    beganAtMs: [0],
  });
});

test.each([
  [new AggregateError([new Error('connect ECONNREFUSED ::1:5432'), refused], ''), 'ECONNREFUSED'],
  [new AggregateError([], 'all of them failed'), 'all of them failed'],
  [Object.assign(new Error(''), { code: 'ECONNRESET' }), 'ECONNRESET'],
  [new Error(''), 'no reason was given'],
  ['thrown as text', 'thrown as text'],
])('a reason is given even if the error itself has no message, %#', async (error, reason) => {
  const { settled } = await tried([{ error }], { timeoutMs: 0 });
  expect(settled).toHaveProperty('message', expect.stringContaining(`within 0 s: `));
  expect(settled).toHaveProperty('message', expect.stringContaining(reason));
  expect(settled).toHaveProperty('message', expect.not.stringContaining('undefined'));
});
