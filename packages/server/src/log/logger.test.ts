import { expect, test } from 'bun:test';
import { jsonLogger } from './logger.ts';

/** Returns what a log at `level` writes while `use` runs. */
function logged(level: 'debug' | 'info' | 'warn' | 'silent', use: (log: Logger) => void) {
  const lines: string[] = [];
  use(jsonLogger(level, (line) => lines.push(line)));
  return lines;
}

type Logger = ReturnType<typeof jsonLogger>;

/** The logged fields of `err`. */
function toldOf(err: unknown): Record<string, unknown> {
  const [line = ''] = logged('info', (log) => log.error({ err }, 'failed'));
  return JSON.parse(line).err;
}

test('an entry is one line of JSON: level and time first, the message last', () => {
  const before = Date.now();
  const [line = '', ...others] = logged('info', (log) => log.info({ a: 'x\ny', b: 2 }, 'said'));
  expect(others).toEqual([]);
  expect(line).toMatch(/^\{"level":30,"time":\d+,"a":"x\\ny","b":2,"msg":"said"\}\n$/);
  expect(JSON.parse(line).time).toBeWithin(before, Date.now() + 1);
});

test.each([
  ['debug', [20, 30, 40, 50]],
  ['info', [30, 40, 50]],
  ['warn', [40, 50]],
  ['silent', []],
] as const)('at %s the graver entries are written', (level, expected) => {
  const lines = logged(level, (log) => {
    for (const own of ['debug', 'info', 'warn', 'error'] as const) log[own]({}, own);
  });
  expect(lines.map((line) => JSON.parse(line).level)).toEqual([...expected]);
});

test("an error is logged with its class, its stack and the system's details", () => {
  class DiskError extends Error {}
  const error = Object.assign(new DiskError('no space'), { code: 'ENOSPC', errno: -28 });
  expect(toldOf(error)).toEqual({
    type: 'DiskError',
    message: 'no space',
    stack: expect.stringContaining('logger.test.ts'),
    code: 'ENOSPC',
    errno: -28,
  });
});

test('causes are logged after what they caused', () => {
  const error = new Error('storing failed', { cause: new TypeError('no space') });
  expect(toldOf(error)).toMatchObject({
    type: 'Error',
    message: 'storing failed: no space',
    stack: expect.stringMatching(/storing failed[^]*\ncaused by: [^]*no space/),
  });
});

test('errors within an error are logged', () => {
  const error = new AggregateError([new Error('one'), 'two'], 'both failed');
  expect(toldOf(error)).toMatchObject({ errors: [{ message: 'one' }, 'two'] });
});

test('errors that contain themselves, and values without a text, are logged as far as possible', () => {
  const values: unknown[] = [];
  values.push(values);
  expect(toldOf(Object.assign(new Error('round'), { values }))).toMatchObject({ message: 'round' });
  expect(toldOf(Object.create(null))).toBe('object' as never);
});

test('a value that JSON cannot represent does not prevent an entry from being written', () => {
  const error = Object.assign(new Error('odd'), { big: 1n, self: {}, run() {} });
  Object.assign(error, { cause: error, self: error });
  expect(toldOf(error)).toMatchObject({ type: 'Error', big: '1' });
  expect(toldOf(undefined)).toBe('undefined' as never);
  expect(toldOf('thrown text')).toBe('thrown text' as never);
});
