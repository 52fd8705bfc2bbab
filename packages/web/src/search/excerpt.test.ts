import { expect, test } from 'bun:test';
import { excerptOf, foundIn, markedIn, searchedText } from './excerpt.ts';

test('[WC48] an excerpt shows the first hit, marks all of them, and is bounded', () => {
  const text = `${'before '.repeat(40)}tea and tea ${'after '.repeat(80)}`;
  const at = text.indexOf('tea');
  const parts = excerptOf(text, [
    { start: at, end: at + 3 },
    { start: at + 8, end: at + 11 },
  ]);
  const marked = parts.filter(({ isMarked }) => isMarked).map((part) => part.text);
  const whole = parts.map((part) => part.text).join('');
  expect(marked).toEqual(['tea', 'tea']);
  expect([whole.at(0), whole.at(-1), whole.length < 250]).toEqual(['…', '…', true]);
  expect(excerptOf('tea', [{ start: 0, end: 3 }])).toEqual([{ text: 'tea', isMarked: true }]);
  expect(excerptOf('', [])).toEqual([]);
});

test('[WC48][WC48a] an excerpt is of the plain text, and hides spoilers', () => {
  expect(searchedText('**tea** at `five`, ||not coffee||', 'tea')).toBe('tea at five, ▇▇▇');
  expect(searchedText('||tea||', 'tea')).toBe('▇▇▇');
  expect(searchedText('look: https://example.org/tea', 'tea')).toBe(
    'look: https://example.org/tea',
  );
  expect(searchedText('https://example.org/tea', '')).toBe('https://example.org/tea');
  expect(searchedText('', '')).toBe('');
});

test('[WC48] found words are marked in a whole text, and in the part of a text where they are', () => {
  const marked = (parts: ReturnType<typeof markedIn>) =>
    parts.filter(({ isMarked }) => isMarked).map(({ text }) => text);
  const whole = (parts: ReturnType<typeof markedIn>) => parts.map(({ text }) => text).join('');
  const title = markedIn('Tea, or no téa', 'tea');
  expect([whole(title), marked(title)]).toEqual(['Tea, or no téa', ['Tea', 'téa']]);
  expect(markedIn('Tea', '')).toEqual([{ text: 'Tea', isMarked: false }]);
  const text = foundIn(`${'other words '.repeat(40)}**tea** ||secret||`, 'tea');
  expect(marked(text)).toEqual(['tea']);
  expect(whole(text)).not.toContain('secret');
});
