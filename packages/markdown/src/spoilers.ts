import type { MessageToken } from './tokens.ts';

/** The text that is shown in place of a spoiler if readers cannot uncover it. */
export const HIDDEN_SPOILER = '[…]';

const HALF_CHARACTER = /[\uD800-\uDBFF]$/;
const NO_EDGE = /[\s|]/;

/** A part of a text. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** The end of the spoiler that begins with the bars at `start`; undefined if none does. */
export function endOfSpoiler(text: string, start: number): number | undefined {
  const first = text[start + 2];
  if (!text.startsWith('||', start) || first === undefined || NO_EDGE.test(first)) return undefined;
  const bars = text.indexOf('||', start + 2);
  if (bars === -1 || NO_EDGE.test(text[bars - 1] ?? '') || text[bars + 2] === '|') return undefined;
  return bars + 2;
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

/** A text as it was written, with its spoilers. */
export function writtenTokens(text: string): readonly MessageToken[] {
  const tokens: MessageToken[] = [];
  const add = (raw: string) => {
    if (raw !== '') tokens.push({ type: 'text', raw, text: raw });
  };
  let from = 0;
  for (const { start, end } of spoilersIn(text)) {
    add(text.slice(from, start));
    const hidden = text.slice(start + 2, end - 2);
    const raw = text.slice(start, end);
    tokens.push({ type: 'spoiler', raw, tokens: [{ type: 'text', raw: hidden, text: hidden }] });
    from = end;
  }
  add(text.slice(from));
  return tokens;
}

/**
 * The beginning of a text, at most `most` UTF-16 code units, without half a character at the end. It ends before a spoiler that
 * would lose its end, because the parser would show that as it was written.
 */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  for (const { start, end } of spoilersIn(text)) {
    if (start >= most) break;
    if (end > most) return text.slice(0, start);
  }
  return text.slice(0, most).replace(HALF_CHARACTER, '');
}

/**
 * The spoilers of a text. Bars that an author has escaped begin none. Bars in code look like any others, so bars that end a
 * spoiler and may begin another one do both: otherwise code would show the spoiler after it. Takes linear time: bars end every
 * search.
 */
function* spoilersIn(text: string): Generator<Range> {
  const mark = /\\|\|\|/g;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const start = found.index;
    const first = found[0] === '\\' ? undefined : endOfSpoiler(text, start);
    let end = first;
    for (let next = first; next !== undefined; next = endOfSpoiler(text, next - 2)) end = next;
    if (end !== undefined) yield { start, end };
    mark.lastIndex = end ?? start + (found[0] === '\\' ? 2 : 1);
  }
}
