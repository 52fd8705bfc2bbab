import { CodeEnds } from './code-ends.ts';
import type { MessageToken, SpoilerToken } from './tokens.ts';

/** The text that is shown in place of a spoiler if readers cannot uncover it. */
export const HIDDEN_SPOILER = '▇▇▇';

const NO_EDGE = /[\s|]/;
/** Bars, also those that a cell of a table would need a backslash for. */
const MAY_BE_SPOILER = /\|\\?\|/;

/** Match the beginning of a line before bars that stand alone on it, and begin a spoiler or end one. */
const BEFORE_BEGIN = /^(?:[\s>]|[-*+]\s|\d+[.)]\s)*$/;
const BEFORE_END = /^[\s>]*$/;

/** A part of a text. */
interface Range {
  readonly start: number;
  readonly end: number;
  /** Set in the beginning of a text, if it goes on after that. */
  readonly isOpen?: true;
}

/** The end of the spoiler that begins with the bars at `start`; undefined if none does. */
export function endOfSpoiler(text: string, start: number): number | undefined {
  if (!mayBegin(text, start)) return undefined;
  const bars = text.indexOf('||', start + 2);
  if (bars === -1 || !mayEnd(text, bars)) return undefined;
  return text.slice(start + 2, bars).trim() === '' ? undefined : bars + 2;
}

/** Checks whether bars begin a spoiler that goes on where the text ends. */
export function isLeftOpen(text: string, start: number): boolean {
  return mayBegin(text, start) && !text.includes('||', start + 2);
}

function mayBegin(text: string, bars: number): boolean {
  const first = text[bars + 2];
  if (!text.startsWith('||', bars) || first === undefined) return false;
  return !NO_EDGE.test(first) || isAlone(text, bars, BEFORE_BEGIN);
}

/** Checks whether a spoiler that is open may end with the bars at a place. */
export function mayEnd(text: string, bars: number): boolean {
  if (text[bars + 2] === '|') return false;
  return !NO_EDGE.test(text[bars - 1] ?? '\n') || isAlone(text, bars, BEFORE_END);
}

/** Checks whether bars are all that their line has, but for what may be before them. Of each line, only the last bars can be. */
function isAlone(text: string, bars: number, before: RegExp): boolean {
  let end = bars + 2;
  while (/[^\S\n]/.test(text[end] ?? '')) end += 1;
  if ((text[end] ?? '\n') !== '\n') return false;
  return before.test(text.slice(text.lastIndexOf('\n', bars) + 1, bars));
}

/**
 * Checks whether a spoiler that a line begins, or that was open before it, goes on after it. Code in the line has none. Takes
 * as many steps as the line is long.
 */
export function leavesOpen(line: string, wasOpen: boolean): boolean {
  const bars = line.indexOf('||');
  if (bars === -1) return wasOpen;
  if (!wasOpen && isAlone(line, bars, BEFORE_BEGIN)) return true;
  let at = 0;
  // Bars that do not end what was open may begin another.
  if (wasOpen) at = mayEnd(line, bars) ? bars + 2 : bars;
  const ends = new CodeEnds(line);
  const mark = /\\|`+|\|\|/g;
  for (mark.lastIndex = at; ; mark.lastIndex = at) {
    const found = mark.exec(line);
    if (found === null) return false;
    const { 0: marks, index } = found;
    if (marks === '\\') at = index + 2;
    else if (marks === '||') {
      if (isLeftOpen(line, index)) return true;
      at = endOfSpoiler(line, index) ?? index + 1;
    } else {
      const end = ends.after(index, marks.length);
      at = (end ?? index) + marks.length;
    }
  }
}

/** A text without what its spoilers hide, for what is shown as it was written. */
export function withoutSpoilers(text: string): string {
  let shown = '';
  let from = 0;
  for (const { start, end } of spoilersIn(text)) {
    shown += text.slice(from, start) + HIDDEN_SPOILER;
    from = end;
  }
  return shown + text.slice(from);
}

/** A text as it was written, with its spoilers. In the beginning of one, the last may be open. */
export function writtenTokens(text: string, isBeginning = false): readonly MessageToken[] {
  const tokens: MessageToken[] = [];
  const add = (raw: string) => {
    if (raw !== '') tokens.push({ type: 'text', raw, text: raw });
  };
  let from = 0;
  for (const { start, end, isOpen } of spoilersIn(text, isBeginning)) {
    add(text.slice(from, start));
    const hidden = text.slice(start + 2, isOpen ? end : end - 2);
    tokens.push({ ...spoilerOf(text.slice(start, end), hidden), ...(isOpen && { isOpen }) });
    from = end;
  }
  add(text.slice(from));
  return tokens;
}

/** A text that was not parsed. If it may have spoilers, it is one as a whole. */
export function unparsedTokens(text: string): readonly MessageToken[] {
  return MAY_BE_SPOILER.test(text) ? [spoilerOf(text, text)] : [{ type: 'text', raw: text, text }];
}

function spoilerOf(raw: string, hidden: string): SpoilerToken {
  return { type: 'spoiler', raw, tokens: [{ type: 'text', raw: hidden, text: hidden }] };
}

/**
 * The spoilers of a text. Bars that an author has escaped begin none. Bars in code look like any others, so bars that end a
 * spoiler and may begin another one do both: otherwise code would show the spoiler after it. Takes linear time: bars end every
 * search.
 */
function* spoilersIn(text: string, isBeginning = false): Generator<Range> {
  const mark = /\\|\|\|/g;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const start = found.index;
    const first = found[0] === '\\' ? undefined : endOfSpoiler(text, start);
    let end = first;
    for (let next = first; next !== undefined; next = endOfSpoiler(text, next - 2)) end = next;
    const last = end === undefined ? start : end - 2;
    if (isBeginning && isLeftOpen(text, last)) {
      return yield { start, end: text.length, isOpen: true };
    }
    if (end !== undefined) yield { start, end };
    mark.lastIndex = end ?? start + (found[0] === '\\' ? 2 : 1);
  }
}
