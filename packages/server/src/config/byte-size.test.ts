import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { byteSize, formatByteSize, parseByteSize } from './byte-size.ts';

test.each([
  ['512B', 512],
  ['0B', 0],
  ['20kB', 20_000],
  ['20KiB', 20_480],
  ['20MB', 20_000_000],
  ['20MiB', 20_971_520],
  ['2GB', 2_000_000_000],
  ['2GiB', 2_147_483_648],
  ['20 MB', 20_000_000],
  ['20mb', 20_000_000],
  ['20mIb', 20_971_520],
  ['007KB', 7_000],
  ['9007199254740991B', Number.MAX_SAFE_INTEGER],
])('[CF4] %s is read as %d bytes', (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes);
});

test.each([
  '',
  '20',
  'MB',
  '20 ',
  '20  MB',
  ' 20MB',
  '20MB ',
  '20MB\n',
  '20M',
  '20iB',
  '20TB',
  '-20MB',
  '+20MB',
  '1.5MB',
  '1e3B',
  '0x10B',
  '٢٠MB',
  '9007199254740992B',
  '9007199254741kB',
  '99999999999999999999GiB',
])('[CF4] %j is not a size', (text) => {
  expect(parseByteSize(text)).toBeUndefined();
});

test('[CF4] every formatted size is parsed to the same number', () => {
  fc.assert(
    fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (bytes) => {
      expect(parseByteSize(formatByteSize(bytes))).toBe(bytes);
    }),
  );
});

test('[CF4] a count is multiplied by its unit, in any case and with or without a space', () => {
  const units = [
    ['b', 1],
    ['kb', 1e3],
    ['kib', 2 ** 10],
    ['mb', 1e6],
    ['mib', 2 ** 20],
    ['gb', 1e9],
    ['gib', 2 ** 30],
  ] as const;
  const anyUnit = fc.constantFrom(...units).chain(([unit, factor]) =>
    fc.record({
      factor: fc.constant(factor),
      text: fc.mixedCase(fc.constant(unit)),
      count: fc.nat({ max: Math.floor(Number.MAX_SAFE_INTEGER / factor) }),
      space: fc.constantFrom('', ' '),
    }),
  );
  fc.assert(
    fc.property(anyUnit, ({ factor, text, count, space }) => {
      expect(parseByteSize(`${count}${space}${text}`)).toBe(count * factor);
    }),
  );
});

test('a size is formatted in the largest unit that holds it exactly', () => {
  expect([0, 1, 999, 1000, 1024, 65_536, 20_000_000, 1_048_576].map(formatByteSize)).toEqual([
    '0B',
    '1B',
    '999B',
    '1kB',
    '1KiB',
    '64KiB',
    '20MB',
    '1MiB',
  ]);
});

test('[CF8] only whole numbers and text within the limits are accepted', () => {
  const { read } = byteSize(10, 20);
  expect(read(10)).toEqual({ value: 10 });
  expect(read('20B')).toEqual({ value: 20 });
  for (const raw of [9, 21, 10.5, Number.NaN, Infinity, 15n, true, null, [15], {}, '9B', '21B']) {
    expect(read(raw)).toHaveProperty('got');
  }
});

test('[CF8] the expected phrase names the limits', () => {
  expect(byteSize(64 * 1024, 64 * 1024 ** 2).expected).toStartWith('a size from 64KiB to 64MiB:');
  expect(byteSize().expected).toStartWith('a size of at least 1B:');
});
