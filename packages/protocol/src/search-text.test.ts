import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { hasTerms, highlights, searchTerms } from './search-text.ts';
import { foldText, wordSplitter } from './words.ts';

const split = wordSplitter();
const finds = (query: string, text: string) => hasTerms(text, searchTerms(query, split), split);

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
  ])('makes %j and %j the same', (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  test('keeps what makes another letter in other scripts', () => {
    expect(foldText('が')).not.toBe(foldText('か'));
    expect(foldText('कि')).not.toBe(foldText('क'));
  });

  test('of a folded text changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    );
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
  ])('%j finds %j', (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  test.each([
    ['good night', 'Good evening'],
    ['even good', 'Good evening'],
    ['vening', 'Good evening'],
    ['goodness', 'Good evening'],
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
    ['', 'cafe', []],
  ])('[SE3] in %j are the words of %j', (text, query, expected) => {
    expect(marked(text, query)).toEqual(expected);
  });
});
