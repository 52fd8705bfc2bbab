import type { CodeBlock, HeadingBlock, HtmlBlock, ListBlock, TableBlock } from './block.ts';
import { endOfTag } from './html-tag.ts';
import { endOfSpoiler } from './spoilers.ts';
import type { Steps } from './steps.ts';

// Each of these expressions looks at a character a fixed number of times, so that a line takes as many steps as it is long.
const RULE = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const HEADING = /^(#{1,6})(?:[ \t]|$)/;
const UNDERLINE = /^(?:=+|-+)[ \t]*$/;
const FENCE = /^(?:(`{3,})([^`]*)|(~{3,})(.*))$/s;
const LIST_MARK = /^(?:[-*+]|(\d{1,9})[.)])(?=[ \t]|$)/;
const TABLE_LINE = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

const HTML_TAGS =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|' +
  'tr|track|ul';

/** The beginnings of HTML, each with what ends it; undefined if a blank line does. */
const HTML: readonly (readonly [start: RegExp, end: RegExp | undefined])[] = [
  [/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
  [new RegExp(`^</?(?:${HTML_TAGS})(?:[ \\t]|/?>|$)`, 'i'), undefined],
];

/** Checks whether a line is a rule across the text. */
export function isRule(words: string, steps: Steps): boolean {
  if (!/^[-*_]/.test(words)) return false;
  steps.take(words.length);
  // Four asterisks are bold text that nobody has written yet.
  return RULE.test(words) && words.trimEnd() !== '****';
}

/** A heading with its marks before it. */
export function headingIn(words: string, steps: Steps): HeadingBlock | undefined {
  const mark = HEADING.exec(words)?.[1];
  if (mark === undefined) return undefined;
  steps.take(2 * words.length);
  const title = words.slice(mark.length).trim();
  let end = title.length;
  while (title[end - 1] === '#') end -= 1;
  const isClosed = end === 0 || /[ \t]/.test(title[end - 1] ?? '');
  const text = isClosed ? title.slice(0, end).trimEnd() : title;
  if (text === '') return undefined;
  return { kind: 'heading', depth: mark.length, text, raw: words };
}

/** The level of the heading that a line makes of the paragraph above it. */
export function underlineIn(words: string, steps: Steps): number | undefined {
  if (!/^[-=]/.test(words)) return undefined;
  steps.take(words.length);
  if (!UNDERLINE.test(words)) return undefined;
  return words.startsWith('=') ? 1 : 2;
}

/** Code that a fence begins. */
export function fenceIn(words: string, indent: number, steps: Steps): CodeBlock | undefined {
  if (!/^(?:```|~~~)/.test(words)) return undefined;
  steps.take(words.length);
  const [, ticks, ofTicks, tildes, ofTildes] = FENCE.exec(words) ?? [];
  const fence = ticks ?? tildes;
  if (fence === undefined) return undefined;
  const lang = (ofTicks ?? ofTildes ?? '').trim();
  return { kind: 'code', fence, fenceIndent: indent, lang, lines: [] };
}

/** Checks whether a line ends code in a fence. */
export function endsFence(words: string, fence: string, steps: Steps): boolean {
  if (!words.startsWith(fence)) return false;
  steps.take(words.length);
  const mark = fence[0] ?? '';
  let at = fence.length;
  while (words[at] === mark) at += 1;
  return words.slice(at).trim() === '';
}

/** HTML that begins in a line. A tag that has no meaning here does not end a paragraph. */
export function htmlIn(words: string, isInText: boolean, steps: Steps): HtmlBlock | undefined {
  if (!words.startsWith('<')) return undefined;
  const known = HTML.find(([start]) => start.test(words));
  if (known !== undefined) return { kind: 'html', end: known[1], lines: [] };
  if (isInText) return undefined;
  const end = endOfTag(words, 0, steps);
  // What bars cover is no part of a tag.
  const isAlone = end !== undefined && words.slice(end).trim() === '' && !words.includes('||');
  return isAlone ? { kind: 'html', end: undefined, lines: [] } : undefined;
}

/** The mark of an item. */
export interface ListMark {
  readonly mark: string;
  /** The end of the mark, which all items of a list have in common. */
  readonly kind: string;
  /** True if it begins a list below a line of text. */
  readonly endsText: boolean;
}

/** The mark of an item that begins in a line. */
export function listMarkIn(words: string): ListMark | undefined {
  const [mark, digits] = LIST_MARK.exec(words) ?? [];
  if (mark === undefined) return undefined;
  return { mark, kind: mark.at(-1) ?? '', endsText: Number(digits ?? 1) === 1 };
}

/** A list without items, that begins with a mark. */
export function newList({ kind }: ListMark): ListBlock {
  return { kind: 'list', mark: kind, items: [], isLoose: false };
}

/** The table whose header is `header` if `words` is the line below it. */
export function tableIn(header: string, words: string, steps: Steps): TableBlock | undefined {
  if (!/^[-|:]/.test(words)) return undefined;
  steps.take(words.length);
  if (!/[|:]/.test(words) || !TABLE_LINE.test(words)) return undefined;
  const align = cellsOf(words, steps).map(alignOf);
  const cells = cellsOf(header, steps);
  if (cells.length !== align.length || cells.every((cell) => cell === '')) return undefined;
  return { kind: 'table', align, header: cells, rows: [], lines: [header, words] };
}

/** Checks whether something other than a row begins in a line. */
export function endsTable(words: string, indent: number, steps: Steps): boolean {
  return (
    listMarkIn(words) !== undefined ||
    headingIn(words, steps) !== undefined ||
    fenceIn(words, indent, steps) !== undefined ||
    htmlIn(words, true, steps) !== undefined ||
    isRule(words, steps)
  );
}

function alignOf(cell: string): 'left' | 'center' | 'right' | undefined {
  if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'right';
  return cell.startsWith(':') ? 'left' : undefined;
}

/** The cells of a row. The bars of a spoiler divide none if it begins the row or comes after white space. */
export function cellsOf(line: string, steps: Steps): string[] {
  steps.take(2 * line.length);
  const cells: string[] = [];
  let from = 0;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line[at] === '|') {
      const isApart = at === 0 || /\s/.test(line[at - 1] ?? '');
      const end = isApart ? endOfSpoiler(line, at) : undefined;
      if (end !== undefined) {
        at = end - 1;
        continue;
      }
      cells.push(line.slice(from, at));
      from = at + 1;
    }
  }
  cells.push(line.slice(from));
  const texts = cells.map((cell) => cell.trim());
  if (texts[0] === '') texts.shift();
  if (texts.length > 0 && texts.at(-1) === '') texts.pop();
  return texts;
}
