import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { countCodePoints } from './characters.ts';
import { storableText, text } from './text.ts';

/** Any text: single UTF-16 units, so that surrogates come in every order, mixed with whole characters. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

describe('[ME4] a character', () => {
  test.each([
    ['nothing', '', 0],
    ['a letter', 'a', 1],
    ['NUL', '\0', 1],
    ['two bytes of UTF-8', 'é', 1],
    ['three bytes of UTF-8', '語', 1],
    ['a surrogate pair', '😀', 1],
    ['the first pair', '\u{10000}', 1],
    ['the last pair', '\u{10ffff}', 1],
    ['a letter and its accent', 'e\u0301', 2],
    ['a joined family', '👨‍👩‍👧‍👦', 7],
    ['a flag', '🇪🇺', 2],
    ['a lone high surrogate', '\ud83d', 1],
    ['a lone low surrogate', '\ude00', 1],
    ['two high surrogates', '\ud83d\ud83d', 2],
    ['a pair the wrong way round', '\ude00\ud83d', 2],
    ['a high surrogate before a pair', '\ud83d😀', 2],
    ['a low surrogate after a pair', '😀\ude00', 2],
    ['a high surrogate at the end', 'a\ud83d', 2],
    ['a high surrogate, and the neighbours of the low ones', '\ud83d\ue000\ud83d\udbff', 4],
  ])('a character is a code point: %s', (_what, value, count) => {
    expect(countCodePoints(value)).toBe(count);
  });

  test('a character is what iterating over any string yields', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        expect(countCodePoints(value)).toBe(Array.from(value).length);
      }),
      { numRuns: 500 },
    );
  });
});

describe('[ME2][ME3][ME4] text with a limited length', () => {
  test('a text is accepted exactly if it has that many whole characters, and is left unchanged', () => {
    const bounds = fc
      .tuple(fc.nat({ max: 20 }), fc.nat({ max: 20 }))
      .map(([least, more]) => ({ min: least, max: least + more }));
    fc.assert(
      fc.property(bounds, anyText, ({ min, max }, value) => {
        const parsed = text(min, max).safeParse(value);
        const count = Array.from(value).length;
        const fits = count >= min && count <= max;
        expect(parsed.success).toBe(fits && value.isWellFormed());
        if (parsed.success) expect(parsed.data).toBe(value);
      }),
      { numRuns: 500 },
    );
  });

  test.each(['a', '😀', '\u{10ffff}', '\ud7ff', '\ue000', '\0'])(
    'may have the least and the most of %j, and not one more or less',
    (unit) => {
      const sizes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
      const isAccepted = (size: number) => text(3, 5).safeParse(unit.repeat(size)).success;
      expect(sizes.filter(isAccepted)).toEqual([3, 4, 5]);
    },
  );

  test.each([
    ['undefined', undefined],
    ['null', null],
    ['a number', 123],
    ['a boolean', true],
    ['a list', ['a', 'b', 'c']],
    ['an object', { length: 3 }],
  ])('a text is never %s', (_what, value) => {
    expect(text(1, 50).safeParse(value).success).toBe(false);
  });

  test('a text is refused with the same error if its type or its length is wrong', () => {
    const sentences = [12, 'a', 'abcdef'].map(
      (value) => text(2, 5).safeParse(value).error?.issues[0]?.message,
    );
    expect(new Set(sentences)).toEqual(new Set(['must be text of 2 to 5 characters']));
  });
});

describe('[ME4] half of a surrogate pair', () => {
  test.each([
    ['alone', '\ud83d'],
    ['alone, the second half', '\ude00'],
    ['at the beginning', '\ude00abc'],
    ['in the middle', 'ab\ud83dcd'],
    ['at the end, as if the text was cut', 'abc\ud83d'],
    ['before a pair', '\ud83d😀'],
    ['after a pair', '😀\ude00'],
    ['twice', '\ud83d\ud83d'],
    ['before its other half, the wrong way round', '\ude00\ud83d'],
  ])('half of a pair is refused with an error of its own: %s', (_where, value) => {
    const messages = text(1, 5)
      .safeParse(value)
      .error?.issues.map(({ message }) => message);
    expect(messages).toEqual(['must be Unicode text without lone surrogates']);
  });

  test('half of a pair is accepted as part of a whole one', () => {
    const pair: unknown = JSON.parse(String.raw`"\ud83d\uDE00"`);
    expect(text(1, 1).safeParse(pair)).toEqual({ success: true, data: '😀' });
  });
});

test('text that every database can store is text without U+0000', () => {
  fc.assert(
    fc.property(anyText, (value) => {
      const isAccepted = text(1, 20).safeParse(value).success && !value.includes('\0');
      expect(storableText(1, 20).safeParse(value).success).toBe(isAccepted);
    }),
  );
  const { error } = storableText(1, 20).safeParse('a\0b');
  expect(error?.issues.map(({ message }) => message)).toEqual(['must be text without U+0000']);
});
