import { describe, expect, test } from 'bun:test';
import { foldText } from './words.ts';

/** Letters of the scripts whose marks do not matter, with their other forms and widths, and letters of mathematics. */
const BLOCKS: readonly (readonly [first: number, last: number])[] = [
  [0x41, 0x24f],
  [0x370, 0x52f],
  [0x5d0, 0x5ea],
  [0x620, 0x6ff],
  [0x7ca, 0x7ea],
  [0x1e00, 0x1fff],
  [0x2100, 0x2188],
  [0x2460, 0x24ff],
  [0x2c60, 0x2c7f],
  [0xa640, 0xa69f],
  [0xfb00, 0xfdfb],
  [0xfe70, 0xfefc],
  [0xff10, 0xff5a],
  [0x1d4_00, 0x1d7_ff],
];
const LETTERS = BLOCKS.flatMap(([first, last]) => charactersIn(first, last)).filter(
  // Some are marks alone.
  (each) => /[\p{L}\p{Nd}]/u.test(each) && foldText(each).trim() !== '',
);
const ALL = [...charactersIn(0, 0xd7ff), ...charactersIn(0xe000, 0x1ffff)];

/** Languages with alphabets of their own, but none where a letter is the same as several others. */
const LOCALES = ['und', 'ar', 'az', 'el', 'es', 'fa', 'fr', 'he', 'pl', 'ru', 'tr', 'uk', 'vi'];

/** Letters that only ICU takes for others: rare signs, a letter with a dot, and forms of former times. */
const ONLY_ICU = new Set([...'ﹳٴۥۦͺŀĿꙨꙩꙪꙫꙬꙭꙮꚘꚙꚚꚛߨߩߪ']);

function charactersIn(first: number, last: number): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
}

function isSame(collator: Intl.Collator, one: string, other: string): boolean {
  return collator.compare(one, other) === 0;
}

function collatorOf(locale: string): Intl.Collator {
  return new Intl.Collator(locale, { sensitivity: 'base', usage: 'search' });
}

const root = collatorOf('und');

describe('folding and ICU', () => {
  test('[SE3] decimal digits of all scripts are those of ASCII', () => {
    const digits = ALL.filter((each) => /\p{Nd}/u.test(each));
    expect(digits.length).toBeGreaterThan(600);
    const wrong = digits.filter((each) => {
      const folded = foldText(each);
      return !/^\d$/.test(folded) || !isSame(root, folded, each);
    });
    expect(wrong).toEqual([]);
  });

  test('[SE3] spaces and what is not shown fold alike after a letter of ASCII and after another one', () => {
    const unseen = ALL.filter((each) => /[\s\p{Cf}\p{DI}]/u.test(each));
    expect(unseen).toContain('\ufeff');
    const wrong = unseen.filter(
      (each) => foldText(`z${each}z`) !== foldText(`ж${each}ж`).replaceAll('ж', 'z'),
    );
    expect(wrong).toEqual([]);
  });

  test('[SE3] letters in other widths and compatible forms are these letters, in every case', () => {
    const letters = ALL.filter((each) => /[\p{L}\p{N}]/u.test(each));
    const wrong = letters.filter((each) => {
      const folded = foldText(each);
      // In capitals, an iota below a Greek letter is written beside it.
      const cases = [each.toUpperCase(), each.toLowerCase()].filter((form) => !/.Ι/u.test(form));
      return [each.normalize('NFKC'), ...cases].some((form) => foldText(form) !== folded);
    });
    // These two vowels stay as they are, so that words are found.
    expect(wrong).toEqual(['ำ', 'ຳ']);
  });

  test.each(LOCALES)('[SE3b] letters that are the same in %s are the same', (locale) => {
    const collator = collatorOf(locale);
    const sorted = LETTERS.filter(
      (each) => !ONLY_ICU.has(each.normalize('NFKC')) && !ONLY_ICU.has(each),
    ).toSorted((one, other) => collator.compare(one, other));
    const wrong = sorted.filter((each, at) => {
      const before = sorted[at - 1];
      return (
        before !== undefined &&
        isSame(collator, before, each) &&
        foldText(before) !== foldText(each)
      );
    });
    expect(wrong).toEqual([]);
  });

  test('[SE3b] few letters are the same that are not in ICU', () => {
    const pairs = new Set<string>();
    for (const [folded, same] of Map.groupBy(LETTERS, (letter) => foldText(letter))) {
      for (const each of same) {
        if (!isSame(root, each, folded))
          pairs.add(`${each.normalize('NFKC').toLowerCase()}:${folded}`);
      }
    }
    const letters = [...pairs].filter((pair) => [...pair].length === 3);
    expect(letters.toSorted()).toEqual(['ı:i', 'ŧ:t', 'й:и', 'ٱ:ا', 'ک:ك', 'ی:ي']);
  });

  test.each([
    ['Latn', 'aeo'],
    ['Grek', 'αω'],
    ['Cyrl', 'аи'],
    ['Hebr', 'אש'],
    ['Arab', 'اكي'],
    ['Syrc', 'ܐ'],
    ['Nkoo', 'ߊ'],
  ])('[SE3a] marks of %s do not matter', (script, letters) => {
    const isMark = new RegExp(`^(?=\\p{Mn})\\p{scx=${script}}$`, 'u');
    const marks = ALL.filter((each) => isMark.test(each));
    expect(marks.length).toBeGreaterThan(5);
    for (const letter of letters) {
      expect(marks.filter((mark) => foldText(letter + mark) !== foldText(letter))).toEqual([]);
      // ICU keeps small letters above others.
      const others = marks.filter((mark) => !isSame(root, letter + mark, letter));
      expect(
        others.filter(
          (mark) => !/[\u0306\u0363-\u036f\u2de0-\u2dff\ua674-\ua69f\u{1e08f}]/u.test(mark),
        ),
      ).toEqual([]);
    }
  });

  test('[SE3d] other signs make other letters, and other signs of numbers no digits', () => {
    expect(new Set([...'かがカクㇰ'].map(foldText)).size).toBe(5);
    expect(foldText('ä')).not.toBe(foldText('ae'));
    expect(foldText('क़')).not.toBe(foldText('क'));
    expect(['፩', '❶'].map(foldText)).toEqual(['፩', '❶']);
  });
});
