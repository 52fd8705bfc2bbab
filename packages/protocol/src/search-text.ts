import {
  foldText,
  foldWithPlaces,
  wordSplitter,
  type SplitWords,
  type TextRange,
} from './words.ts';

/** The folded words that a query asks for. */
export interface SearchTerms {
  /** These have to occur. */
  readonly words: readonly string[];
  /** A word has to begin with this: the last word of a query, unless it is in quotes. */
  readonly beginning: string | undefined;
  /** Words that have to follow each other. They are in `words`, too. */
  readonly phrases: readonly (readonly string[])[];
}

const QUOTES = /[“”„]/g;

/** The terms of a query. Words between quotation marks form a phrase. */
export function searchTerms(query: string, split: SplitWords): SearchTerms {
  const parts = foldText(query).replaceAll(QUOTES, '"').split('"');
  const terms = parts.map((part, index) => ({
    // A quotation mark without its counterpart begins no phrase.
    isQuoted: index % 2 === 1 && index < parts.length - 1,
    words: split(part),
  }));
  const last = terms.findLast(({ words }) => words.length > 0);
  const beginning = last?.isQuoted === false ? last.words.at(-1) : undefined;
  const words = terms.flatMap((term) =>
    term === last && !term.isQuoted ? term.words.slice(0, -1) : term.words,
  );
  return {
    words: [...new Set(words)],
    beginning,
    phrases: terms
      .filter((term) => term.isQuoted && term.words.length > 1)
      .map((each) => each.words),
  };
}

/** Checks whether a text has what the terms ask for. */
export function hasTerms(
  text: string,
  { words, beginning, phrases }: SearchTerms,
  split: SplitWords,
): boolean {
  if (words.length === 0 && beginning === undefined) return true;
  const folded = foldText(text);
  // Most texts are decided here.
  if (!words.every((word) => folded.includes(word))) return false;
  if (beginning !== undefined && !folded.includes(beginning)) return false;
  const inText = split(folded);
  const known = new Set(inText);
  return (
    words.every((word) => known.has(word)) &&
    (beginning === undefined || inText.some((word) => word.startsWith(beginning))) &&
    phrases.every((phrase) => hasPhrase(inText, phrase))
  );
}

/**
 * The places where the words of a query occur in a text, for example to highlight them in what a search has found.
 *
 * @example highlights('A café', 'cafe') // [{ start: 2, end: 6 }]
 */
export function highlights(text: string, query: string): readonly TextRange[] {
  const { words, beginning } = searchTerms(query, wordSplitter());
  const wanted = new Set(words);
  const ranges: TextRange[] = [];
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  const folded = foldWithPlaces(text);
  for (const { segment, index, isWordLike } of segmenter.segment(folded.text)) {
    const isWanted =
      wanted.has(segment) || (beginning !== undefined && segment.startsWith(beginning));
    const [first, last] = [folded.from[index], folded.from[index + segment.length - 1]];
    if (isWordLike !== true || !isWanted || first === undefined || last === undefined) continue;
    ranges.push({ start: first.start, end: last.end });
  }
  return ranges;
}

function hasPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  return words.some((_, at) => phrase.every((word, index) => words[at + index] === word));
}
