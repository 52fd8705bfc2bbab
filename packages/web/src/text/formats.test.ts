import { describe, expect, spyOn, test } from 'bun:test';
import { Formats } from './formats.ts';

const english = new Formats('en-GB');
const german = new Formats('de');

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [1_234_567, '1.2 MB'],
  [100_000_000, '100 MB'],
  [5_000_000_000_000_000, '5,000 TB'],
])('%d bytes are %s', (bytes, size) => {
  expect(english.size(bytes)).toBe(size);
});

test.each([
  [0, '1 sec'],
  [1, '1 sec'],
  [2400, '3 secs'],
  [60_000, '60 secs'],
  [120_000, '2 mins'],
  [125_000, '3 mins'],
])('%d milliseconds are %s', (ms, time) => {
  expect(english.duration(ms)).toBe(time);
});

test('numbers are written as usual in the reader’s language', () => {
  expect([english.count(12_345), german.count(12_345)]).toEqual(['12,345', '12.345']);
});

test('a formatter is made when it is first used, and only once', () => {
  using dates = spyOn(Intl, 'DateTimeFormat');
  using numbers = spyOn(Intl, 'NumberFormat');
  const formats = new Formats('en-GB');
  expect([formats.count(0), formats.count(999)]).toEqual(['0', '999']);
  const made = () => [dates.mock.calls.length, numbers.mock.calls.length];
  expect(made()).toEqual([0, 0]);
  for (const value of [1000, 2000]) {
    formats.time(value);
    formats.count(value);
  }
  expect(made()).toEqual([1, 1]);
});

describe('a day', () => {
  const at = (text: string) => new Date(text).getTime();
  const now = at('2026-11-21T10:00:00');

  test.each([
    ['2026-11-21T00:00:00', 'today'],
    ['2026-11-20T23:59:59', 'yesterday'],
    ['2026-11-19T12:00:00', 'Thursday 19 November'],
    ['2025-11-21T12:00:00', '21 November 2025'],
    ['2026-11-22T00:00:00', 'Sunday 22 November'],
  ])('%s is %s', (text, day) => {
    expect(english.day(at(text), now)).toBe(day);
  });

  test('a day is yesterday across a change of the clocks too', () => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Europe/Berlin';
    try {
      const [sunday, monday] = [at('2026-10-25T12:00:00'), at('2026-10-26T12:00:00')];
      expect(english.day(sunday, monday)).toBe('yesterday');
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });
});
