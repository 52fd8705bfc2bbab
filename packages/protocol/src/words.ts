/**
 * Matches texts that fold by their case alone, and whose words {@link PLAIN_WORDS} finds as `Intl.Segmenter` does, in a fifth
 * of the time.
 */
const PLAIN = /^[\t\n\r -~]*$/;
const PLAIN_WORDS = /(?:\w|(?<=[a-z])[.':](?=[a-z])|(?<=\d)[.',;](?=\d))+/gi;
/** Separates words without being shown. */
const ZERO_WIDTH_SPACE = /\u200b/g;
/** Matches characters that are not shown, and lines that make words longer. */
const UNSHOWN = /[\p{Cf}\p{DI}\u0640\u07fa]/gu;
/** Matches marks above and below letters in scripts that are read without them, too. In others, marks are letters. */
const MARKS =
  /[\u0300-\u036f]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]|(?=\p{M})[\p{scx=Latn}\p{scx=Grek}\p{scx=Copt}\p{scx=Cyrl}\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Samr}\p{scx=Mand}\p{scx=Nkoo}]/gu;
const DIGITS = /\p{Nd}/gu;
/** Matches all but the vowels of Thai and Lao that NFKD would take apart, so that words were not recognised. */
const NORMALIZED = /[^\u0e33\u0eb3]+/g;
/** Letters that are written for each other, and for which Unicode has no common form. */
const ALIKE = new Map(
  [
    'ς:σ ґ:г ł:l ø:o đ:d ð:d ħ:h ŧ:t æ:ae œ:oe þ:th',
    'ך:כ ם:מ ן:נ ף:פ ץ:צ',
    'ٱ:ا ى:ي ی:ي ک:ك ة:ه',
    "’:' ‘:' ʼ:' ʻ:'",
  ].flatMap((letters) =>
    letters.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(2)] as const),
  ),
);
const ALIKE_LETTERS = new RegExp(`[${[...ALIKE.keys()].join('')}]`, 'gu');
/** Matches what marks an abbreviation or a foreign sound in Hebrew, and may be a quotation mark elsewhere. */
const HEBREW_QUOTES = /(?<=[א-ת]['׳]*)(?:['׳]|["”״](?=[א-ת]))/gu;

/** Matches what may become one character with the one before it, after what was between them is gone. */
const JOINING = /^[\p{M}\u1160-\u11ff]/u;

/** The words of a folded text, in its order. */
export type SplitWords = (folded: string) => readonly string[];

/** A folded text, and for each of its UTF-16 units what it was made from. */
export interface FoldedText {
  readonly text: string;
  readonly from: readonly TextRange[];
}

/** A part of a text, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * A text in the form in which it is searched: without differences of case, of diacritics and of compatible characters. What
 * was stored in this form has to be made again if it changes.
 */
export function foldText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return foldLetters(text).replaceAll(HEBREW_QUOTES, '');
}

/** Folds a text, and keeps the places of its characters. */
export function foldWithPlaces(text: string): FoldedText {
  const pieces: (TextRange & { readonly folded: string })[] = [];
  // A text has few different characters.
  const known = new Map<string, string>();
  for (const { segment, index } of new Intl.Segmenter('und').segment(text)) {
    const folded = known.get(segment) ?? foldText(segment);
    known.set(segment, folded);
    const end = index + segment.length;
    const before = JOINING.test(folded) ? pieces.pop() : undefined;
    pieces.push(
      before === undefined
        ? { folded, start: index, end }
        : { folded: `${before.folded}${folded}`.normalize('NFC'), start: before.start, end },
    );
  }
  const from = pieces.flatMap(({ folded, ...range }) =>
    Array.from({ length: folded.length }, () => range),
  );
  const letters = pieces.map(({ folded }) => folded).join('');
  const left = new Set(Array.from(letters.matchAll(HEBREW_QUOTES), ({ index }) => index));
  return {
    text: letters.replaceAll(HEBREW_QUOTES, ''),
    from: from.filter((_, index) => !left.has(index)),
  };
}

/** Makes a function that splits texts into words. Making it takes longer than using it. */
export function wordSplitter(): SplitWords {
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  return (folded) => {
    if (PLAIN.test(folded)) return (folded.match(PLAIN_WORDS) ?? []).filter((word) => word !== '_');
    const words: string[] = [];
    for (const { segment, isWordLike } of segmenter.segment(folded)) {
      if (isWordLike === true) words.push(segment);
    }
    return words;
  };
}

/** Folds each character as it would be folded alone. */
function foldLetters(text: string): string {
  return (
    text
      .replaceAll(NORMALIZED, (run) => run.normalize('NFKD'))
      .replaceAll(ZERO_WIDTH_SPACE, ' ')
      .replaceAll(UNSHOWN, '')
      .replaceAll(MARKS, '')
      // All three: ı and I become i, ß becomes ss.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replaceAll(ALIKE_LETTERS, (letter) => ALIKE.get(letter) ?? letter)
      .replaceAll(DIGITS, asciiDigit)
      .normalize('NFC')
  );
}

/** The digit with the value of another one. Digits of a script follow each other, from zero on. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}
