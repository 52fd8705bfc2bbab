import { expect, test } from 'bun:test';
import { UsageError } from './owner-error.ts';
import { sinceMsOf } from './since.ts';

const NOW = Date.parse('2026-11-23T04:30:00.000Z');

test.each([
  ['30s', '2026-11-23T04:29:30.000Z'],
  ['30m', '2026-11-23T04:00:00.000Z'],
  ['2 h', '2026-11-23T02:30:00.000Z'],
  ['7d', '2026-11-16T04:30:00.000Z'],
  ['1w', '2026-11-16T04:30:00.000Z'],
  ['2026-11-22', '2026-11-22T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-11-22 17:05', '2026-11-22T17:05:00.000Z'],
  ['2026-11-22 17:05:01 UTC', '2026-11-22T17:05:01.000Z'],
  ['2026-11-22T17:05:01.250Z', '2026-11-22T17:05:01.250Z'],
  ['2026-11-22T17:05+01:00', '2026-11-22T16:05:00.000Z'],
])('[OP49] --since %s means %s', (given, time) => {
  expect(new Date(sinceMsOf(given, NOW)).toISOString()).toBe(time);
});

test.each([
  '',
  '0m',
  '5',
  '5y',
  '-1d',
  'yesterday',
  '999999999w',
  '2026-13-01',
  '2026-02-31',
  '2026-02-29 08:05',
  '2026-11-31T08:05+01:00',
  '2026-11-22 25:00',
  '22.11.2026',
])('[OP49] --since %j is refused', (given) => {
  expect(() => sinceMsOf(given, NOW)).toThrow(UsageError);
});
