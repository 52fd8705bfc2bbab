import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { safeFileName } from './file-name.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text).byteLength;
const breaksOrTurnsText = /[\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const oddUnit = fc.oneof(
  fc.constantFrom(...['/', '\\', '.', ' ', '\0', '\n', '\u007f', '\u0085', '\ud800', '\udc00']),
  fc.constantFrom(
    '\u2028',
    '\u2029',
    '\u202e',
    '\u061c',
    '\u200f',
    '\u2066',
    '\u00a0',
    '\ufeff',
    '👩‍🚀',
    'é',
    'e\u0301',
  ),
  fc.string({ unit: 'binary' }),
);
const oddName = fc.array(oddUnit, { maxLength: 300 }).map((units) => units.join(''));

describe('any name', () => {
  test('[FD9][FD10] any name becomes one that is safe', () => {
    fc.assert(
      fc.property(oddName, (given) => {
        const name = safeFileName(given);
        expect(name).not.toBe('');
        expect(name.isWellFormed()).toBe(true);
        expect(name).not.toMatch(/[\p{Cc}/\\]/u);
        expect(name).not.toMatch(breaksOrTurnsText);
        expect(name).toBe(name.trim());
        expect(['.', '..']).not.toContain(name);
        expect(bytesOf(name)).toBeLessThanOrEqual(255);
      }),
      { numRuns: 1_000 },
    );
  });

  test('[FD9] that is safe stays unchanged', () => {
    fc.assert(
      fc.property(oddName, (given) => {
        const name = safeFileName(given);
        expect(safeFileName(name)).toBe(name);
      }),
    );
  });
});

test.each<[given: string, name: string]>([
  ['hills.jpg', 'hills.jpg'],
  ['a/b/hills.jpg', 'hills.jpg'],
  ['C:\\a\\hills.jpg', 'hills.jpg'],
  ['a\\b/hills.jpg', 'hills.jpg'],
  ['a/b\\hills.jpg', 'hills.jpg'],
  ['../../etc/passwd', 'passwd'],
  ['a/', 'file'],
  ['', 'file'],
  ['   ', 'file'],
  ['\u0000\u0001', 'file'],
  ['.', 'file'],
  ['a/..', 'file'],
  [' . ', 'file'],
  ['...', '...'],
  ['.hidden', '.hidden'],
  [' \t a b.txt\r\n', 'a b.txt'],
  ['a\u0000b\u001fc\u007fd\u0085.txt', 'abcd.txt'],
  ['invoice\u202egpj.exe', 'invoicegpj.exe'],
  ['a\u2028b\u2029.txt', 'ab.txt'],
  ['👩\u200d👩\u200d👧 ❤\ufe0f.png', '👩\u200d👩\u200d👧 ❤\ufe0f.png'],
  ['می\u200cخواهم.txt', 'می\u200cخواهم.txt'],
  ['\ud800a', '\ufffda'],
  ['холмы.jpg', 'холмы.jpg'],
  ['山'.repeat(85), '山'.repeat(85)],
])('[FD9] %j becomes %j', (given, name) => {
  expect(safeFileName(given)).toBe(name);
});

test.each<[what: string, given: string, name: string]>([
  ['ASCII', 'x'.repeat(256), 'x'.repeat(255)],
  ['two bytes each', 'é'.repeat(128), 'é'.repeat(127)],
  ['three bytes each', '山'.repeat(86), '山'.repeat(85)],
  ['four bytes each', '💾'.repeat(64), '💾'.repeat(63)],
  ['a character over the cut', `${'x'.repeat(253)}💾`, 'x'.repeat(253)],
  ['a blank at the cut', `${'x'.repeat(254)} y`, 'x'.repeat(254)],
])('[FD10] a long name is cut at the boundary of a character: %s', (_what, given, name) => {
  expect(safeFileName(given)).toBe(name);
});

test('[FD10] a name of 255 bytes is kept whole', () => {
  const name = `${'x'.repeat(250)}é.gz`.slice(-254);
  expect(bytesOf(name)).toBe(255);
  expect(safeFileName(name)).toBe(name);
});
