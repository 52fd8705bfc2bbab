import { expect, test } from 'bun:test';
import { alignColumns, formatSize, formatTime, printable } from './text.ts';

test('columns are as wide as their widest cell, without spaces at the ends of lines', () => {
  expect(alignColumns([['a', 'bb', 'c'], ['aaa', 'b', ''], ['']])).toEqual([
    'a    bb  c',
    'aaa  b',
    '',
  ]);
});

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [1550, '1.6 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
  [20_000_000, '20.0 MB'],
  [5_000_000_000_000_000, '5000.0 TB'],
])('%d bytes are shown as %s', (sizeBytes, shown) => {
  expect(formatSize(sizeBytes)).toBe(shown);
});

test('a time is shown to the second, in UTC', () => {
  expect(formatTime(Date.UTC(2026, 0, 31, 8, 5, 0, 999))).toBe('2026-01-31 08:05:00 UTC');
});

test.each([
  ['cat 🐈 ñ.png', 'cat 🐈 ñ.png'],
  ['a\u001b[2Jb\nc\u009bd', 'a�[2Jb�c�d'],
  ['gnp\u202etac', 'gnp�tac'],
  ['a\u061cb\u200ec\u200fd\u2066e', 'a�b�c�d�e'],
  ['two\u2028lines\u2029', 'two�lines�'],
  ['👩\u200d🚀 می\u200cخواهم.png', '👩\u200d🚀 می\u200cخواهم.png'],
])('%j is printed as %j', (text, printed) => {
  expect(printable(text)).toBe(printed);
});
