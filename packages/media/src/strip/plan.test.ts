import { expect, test } from 'bun:test';
import { planOf, type Edit } from './plan.ts';

const zeros = (from: number, to: number): Edit => ({ from, to, replacement: 'zeros' });
const bytes = (from: number, text: string): Edit => ({
  from,
  to: from + text.length,
  replacement: Buffer.from(text),
});

/** Returns what becomes of twelve letters. */
function edited(...edits: readonly Edit[]): string {
  const letters = 'abcdefghijkl';
  const parts = planOf(edits, letters.length).pieces.map((piece) => {
    if ('bytes' in piece) return Buffer.from(piece.bytes).toString();
    return 'zeros' in piece ? '0'.repeat(piece.zeros) : letters.slice(piece.from, piece.to);
  });
  return parts.join('');
}

test.each<[what: string, edits: readonly Edit[], result: string]>([
  ['one after another', [zeros(8, 10), bytes(2, 'XY')], 'abXYefgh00kl'],
  ['zeros that begin in others', [zeros(2, 6), zeros(4, 9)], 'ab0000000jkl'],
  ['bytes that begin in zeros', [zeros(2, 6), bytes(4, 'WXYZ')], 'ab0000YZijkl'],
  ['one inside another', [zeros(2, 9), bytes(4, 'XY')], 'ab0000000jkl'],
  ['one that reaches beyond the end', [zeros(10, 99)], 'abcdefghij00'],
  ['one beyond the end', [zeros(12, 20), zeros(30, 40)], 'abcdefghijkl'],
  ['an empty one', [zeros(3, 3)], 'abcdefghijkl'],
])('[FS34] a plan edits a content: %s', (_what, edits, result) => {
  expect(edited(...edits)).toBe(result);
});
