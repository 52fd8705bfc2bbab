import { expect, test } from 'bun:test';
import { promptLine } from './prompt-line.ts';

/** The visible part of a line, with `|` for its cursor. */
function seen(edited: string, columns: number | undefined, prompt = 'ada> '): string {
  const cursor = edited.indexOf('|');
  const line = edited.replace('|', '');
  const { beforeCursor, afterCursor } = promptLine({ prompt, line, cursor, columns });
  return `${beforeCursor}|${afterCursor}`;
}

test.each([
  ['|', 20, 'ada> |'],
  ['hello|', 20, 'ada> hello|'],
  ['he|llo', 20, 'ada> he|llo'],
  // The last column is left free, because some terminals begin the next row there.
  ['abcdefghijklmn|', 20, 'ada> abcdefghijklmn|'],
  ['abcdefghijklmno|', 20, 'ada> bcdefghijklmno|'],
  ['|abcdefghijklmno', 20, 'ada> |abcdefghijklmn'],
  ['abcdefghijklm|nopqrstuvwxyz', 20, 'ada> defghijklm|nopq'],
  ['日本語日本語日本語|', 20, 'ada> 語日本語日本語|'],
  ['👋👋👋👋👋👋👋👋|', 20, 'ada> 👋👋👋👋👋👋👋|'],
  ['e\u0301e\u0301e\u0301|', 20, 'ada> e\u0301e\u0301e\u0301|'],
  ['x'.repeat(90) + '|', undefined, `ada> ${'x'.repeat(74)}|`],
  ['x'.repeat(90) + '|', 0, `ada> ${'x'.repeat(74)}|`],
])('the line %j is shown in one row of %p columns', (edited, columns, row) => {
  expect(seen(edited, columns)).toBe(row);
});

test('a prompt that would take most of the row is left out', () => {
  expect(seen('hello|', 20, 'somebody with a long name> ')).toBe('> hello|');
});
