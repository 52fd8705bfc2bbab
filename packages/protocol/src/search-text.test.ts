import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { hasTerms, highlights, searchTerms } from './search-text.ts';
import { foldText, foldWithPlaces, wordSplitter } from './words.ts';

const split = wordSplitter();
const finds = (query: string, text: string) => hasTerms(text, searchTerms(query, split), split);

/** Texts of any characters, and of those that change each other. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'aIİıßΣς אכך"״\'ׁلاةـَأ각각がが́​‍ｶﾞ𝟗٣') }),
);

/** Texts of the characters by which words of ASCII are divided and joined, and of all others. */
const plainText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'aZ19_ .\',;:"-@#/\\\n'),
    fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code)),
  ),
});

test('[SE3] the words of ASCII texts are those that Intl.Segmenter finds', () => {
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  fc.assert(
    fc.property(plainText, (text) => {
      const segments = [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike);
      expect(split(text)).toEqual(segments.map(({ segment }) => segment));
    }),
    { numRuns: 2_000 },
  );
});

/** Words that find each other, by their scripts. */
const PAIRS: Readonly<Record<string, readonly (readonly [one: string, other: string])[]>> = {
  Latin: [
    ['Łódź', 'lodz'],
    ['smørrebrød', 'smorrebrod'],
    ['Đà Nẵng', 'da nang'],
    ['Cœur', 'coeur'],
    ['STRASSE', 'Straße'],
    ['GROẞ', 'gross'],
    ['ſtein', 'stein'],
    ['Hawaiʻi', "hawai'i"],
  ],
  Turkish: [
    ['KIŞ', 'kış'],
    ['kis', 'KIŞ'],
    ['İSTANBUL', 'ıstanbul'],
    ['ISTANBUL', 'İstanbul'],
    ['diyarbakır', 'DİYARBAKIR'],
  ],
  Greek: [
    ['Άγιος', 'ΑΓΙΟΣ'],
    ['ᾠδή', 'ωδη'],
  ],
  Cyrillic: [
    ['Ёлка', 'елка'],
    ['Ґрунт', 'грунт'],
    ['Йод', 'иод'],
    ['п’ять', "п'ять"],
    ['пʼять', "п'ять"],
    ['ст҃ый', 'СТЫЙ'],
  ],
  Arabic: [
    ['كَتَبَ', 'كتب'],
    ['كـــتـــب', 'كتب'],
    ['ﻛﺘﺐ', 'كتب'],
    ['أحمد', 'احمد'],
    ['آمال', 'امال'],
    ['قُرْآن', 'قران'],
    ['کتاب', 'كتاب'],
    ['علی', 'على'],
    ['مدرسة', 'مدرسه'],
    ['٢٠٢٦', '2026'],
  ],
  Hebrew: [
    ['תִּקּוּן', 'תקון'],
    ['שָׁלוֹם', 'שלום'],
    ['שׁלום', 'שלום'],
    ['צה"ל', 'צה״ל'],
    ['צה”ל', 'צהל'],
    ["צ'יפס", 'ציפס'],
    ['בְּרֵאשִׁ֖ית', 'בראשית'],
  ],
  Syriac: [['ܫܠܳܡܐ', 'ܫܠܡܐ']],
  Devanagari: [['क़लम', 'क़लम']],
  Japanese: [
    ['ｶﾞｷﾞｸﾞ', 'ガギグ'],
    ['ＡＢＣ１２３', 'abc123'],
  ],
  Korean: [['각', '각']],
};
const EACH_PAIR = Object.entries(PAIRS).flatMap(([script, pairs]) =>
  pairs.map((pair) => [script, ...pair] as const),
);

describe('[SE3] folding', () => {
  test.each([
    ['Grüße', 'grusse'],
    ['CAFÉ', 'café'],
    ['İstanbul', 'istanbul'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['ﬁne', 'fine'],
    ['Ｆｕｌｌ', 'full'],
    ['пёс', 'пес'],
    ['pass\u00adword', 'password'],
    ['can’t', "can't"],
    ['각', '각'],
  ])('folding makes %j and %j the same', (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  test('folding keeps what makes another letter in other scripts', () => {
    expect(foldText('が')).not.toBe(foldText('か'));
    expect(foldText('कि')).not.toBe(foldText('क'));
  });

  test('folding finds the place of everything, and makes the same text for that', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { text: folded, from } = foldWithPlaces(text);
        expect(folded).toBe(foldText(text));
        expect(from).toHaveLength(folded.length);
      }),
    );
  });

  test('folding joins letters when what was between them is gone', () => {
    expect(foldWithPlaces('가\u064e\u11a8!')).toEqual({
      text: '각!',
      from: [
        { start: 0, end: 3 },
        { start: 3, end: 4 },
      ],
    });
  });

  test('folding leaves no mark of an abbreviation after another one', () => {
    expect(foldText("ד''")).toBe('ד');
    expect(foldText('ד\'"ר')).toBe('דר');
  });

  test('folding a folded text changes nothing', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    );
  });
});

describe('[SE3][SE3a][SE3b][SE3c] words that are written in several ways find each other, and are highlighted', () => {
  test.each(EACH_PAIR)('%s: %s and %s', (_, one, other) => {
    for (const [query, word] of [
      [one, other],
      [other, one],
    ] as const) {
      const text = `- ${word} -`;
      expect(finds(query, text)).toBe(true);
      const marked = highlights(text, query).map(({ start, end }) => text.slice(start, end));
      expect(marked.join(' ')).toBe(word);
    }
  });
});

describe('[SE3] a text is found', () => {
  test.each([
    ['good evening', 'Good evening, everyone!'],
    ['evening good', 'Good evening, everyone!'],
    ['every', 'Good evening, everyone!'],
    ['東京', '東京都に行きました'],
    ['exam', 'see https://example.com/path'],
    ["don't", 'I don’t know'],
    ['hi', 'hi👋there'],
    ['bar', 'foo\u200bbar'],
    ['น้ำ', 'ดื่มน้ำเย็นทุกวัน'],
    ['"ทำงาน"', 'เขาทำงาน'],
    ['תקונ', 'תקונים'],
  ])('%j finds %j', (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  test.each([
    ['good night', 'Good evening'],
    ['even good', 'Good evening'],
    ['vening', 'Good evening'],
    ['goodness', 'Good evening'],
    ['कत', 'किताब'],
  ])('%j does not find %j', (query, text) => {
    expect(finds(query, text)).toBe(false);
  });
});

describe('[SE4] words in quotation marks', () => {
  test.each([
    ['"to be or not"', 'To be, or not to be', true],
    ['“or not to”', 'To be, or not to be', true],
    ['"be not"', 'To be, or not to be', false],
    ['"not" be', 'To be, or not to be', true],
    ['"no"', 'To be, or not to be', false],
    ['no', 'To be, or not to be', true],
    ['"or not', 'To be, or not to be', true],
    ['"צה"ל בא"', 'היום צה״ל בא', true],
    ['"שלום לך" צה"ל', 'צהל: שלום לך', true],
    ['"to be" "not to"', 'To be, or not to be', true],
  ])('%j in %j: %p', (query, text, isFound) => {
    expect(finds(query, text)).toBe(isFound);
  });
});

describe('highlights', () => {
  const marked = (text: string, query: string) =>
    highlights(text, query).map(({ start, end }) => text.slice(start, end));

  test.each([
    ['A Café, a caféteria and a decaf', 'cafe', ['Café', 'caféteria']],
    ['A Café, a caféteria', '"cafe"', ['Café']],
    ['👋 hi there', 'there hi', ['hi', 'there']],
    ['nothing', '!', []],
    ['① ㎏ ﷺ x', '"1" kg', ['①', '㎏']],
    ['كـَتَبَ وكتابٌ', 'كتب', ['كـَتَبَ']],
    ['pass\u00adword and pass\u200bword', 'password', ['pass\u00adword']],
    ['', 'cafe', []],
  ])('[SE3] in %j are the words of %j', (text, query, expected) => {
    expect(marked(text, query)).toEqual(expected);
  });
});
