import { expect, test } from 'bun:test';
import { TomlDate } from 'smol-toml';
import { describe, failureReason, formatPath, quote } from './wording.ts';

test('text with any characters is quoted on one line', () => {
  const control = String.fromCodePoint(0x1b, 0x85, 0x9b, 0x2028, 0x202e);
  expect(quote(`a"\n${control}é👋`)).toBe('"a\\"\\n\\u001b\\u0085\\u009b\\u2028\\u202eé👋"');
});

test('every kind of TOML value is described', () => {
  const values = ['a', 1.5, 0, -3, Number.NaN, true, [1], {}, new TomlDate('1979-05-27')];
  expect(values.map(describe)).toEqual([
    '"a"',
    '1.5',
    '0',
    '-3',
    'NaN',
    'true',
    'a list',
    'a section',
    'a date or time',
  ]);
});

test('a number that is too large to be exact is marked as too large', () => {
  expect(describe(99_999_999_999_999_999_999n)).toBe('99999999999999999999 (too large)');
  expect(describe(1e300)).toBe('1e+300 (too large)');
});

test('long text is cut between characters, and its length is added', () => {
  expect(describe('👋'.repeat(60))).toBe(`"${'👋'.repeat(60)}"`);
  expect(describe('👋'.repeat(61))).toBe(`"${'👋'.repeat(60)}…" (61 characters)`);
});

test('a path is written as in TOML, with quotes around keys that need them', () => {
  expect(formatPath(['oprish', 'rate limits', 'info'])).toBe('oprish."rate limits".info');
  expect(formatPath(['', 'a.b', 'häuschen', 'a-1_B'])).toBe('""."a.b"."häuschen".a-1_B');
  expect(formatPath(['a'.repeat(70)])).toBe(`"${'a'.repeat(60)}…" (70 characters)`);
});

test('the reason of a failure is given in words, and an unknown one by its code', () => {
  expect(failureReason(Object.assign(new Error('no'), { code: 'EACCES' }))).toBe(
    'permission denied',
  );
  expect(failureReason(Object.assign(new Error('no'), { code: 'EIO' }))).toBe('EIO');
  expect(failureReason(new Error('no'))).toBe('no');
  expect(failureReason('no')).toBe('no');
});
