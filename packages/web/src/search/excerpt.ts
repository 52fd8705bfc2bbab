import { plainText } from '@hearth/markdown';
import { highlights } from '@hearth/sdk';

/** A part of a text. */
export interface ExcerptPart {
  readonly text: string;
  readonly isMarked: boolean;
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

const MOST_CHARACTERS = 240;
const BEFORE_FIRST = 60;

/**
 * Returns what an excerpt is taken from: the text without its marks, with quotes and addresses if what was found is in one.
 * Spoilers stay hidden.
 */
export function searchedText(content: string, query: string): string {
  const written = plainText(content, { addresses: 'all' });
  const plain = plainText(content, { addresses: 'none', isOwn: true, hasBullets: false });
  const isOnlyWritten =
    highlights(plain, query).length === 0 && highlights(written, query).length > 0;
  return plain === '' || isOnlyWritten ? written : plain;
}

/** The part of what somebody wrote in which the words of a search were found, or its beginning. */
export function foundIn(content: string, query: string): readonly ExcerptPart[] {
  const shown = searchedText(content, query);
  return excerptOf(shown, highlights(shown, query));
}

/** A whole text, in which the words of a search are marked. */
export function markedIn(text: string, query: string): readonly ExcerptPart[] {
  const parts: ExcerptPart[] = [];
  let at = 0;
  for (const { start, end } of highlights(text, query)) {
    if (start > at) parts.push({ text: text.slice(at, start), isMarked: false });
    parts.push({ text: text.slice(start, end), isMarked: true });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isMarked: false });
  return parts;
}

/** The part of a text around the first of `ranges`, in which all of them are marked. */
export function excerptOf(text: string, ranges: readonly TextRange[]): readonly ExcerptPart[] {
  const first = ranges[0]?.start ?? 0;
  const start = first <= BEFORE_FIRST ? 0 : text.indexOf(' ', first - BEFORE_FIRST) + 1;
  const from = start > first || start === 0 ? Math.max(0, first - BEFORE_FIRST) : start;
  const until = Math.min(text.length, from + MOST_CHARACTERS);
  const parts: ExcerptPart[] = [];
  const add = (begin: number, end: number, isMarked: boolean) => {
    if (end > begin) parts.push({ text: text.slice(begin, end).toWellFormed(), isMarked });
  };
  let at = from;
  for (const range of ranges) {
    if (range.start >= until) break;
    add(at, range.start, false);
    add(Math.max(at, range.start), Math.min(range.end, until), true);
    at = Math.max(at, Math.min(range.end, until));
  }
  add(at, until, false);
  const cut = { text: '…', isMarked: false };
  return [...(from > 0 ? [cut] : []), ...parts, ...(until < text.length ? [cut] : [])];
}
