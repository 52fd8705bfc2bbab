import { firstOf } from './first-of.ts';
import { HIDDEN_SPOILER } from './spoilers.ts';
import { parseMarkdown, type MessageText } from './parse-markdown.ts';
import { tokensIn, type LinkToken, type ListItemToken, type MessageToken } from './tokens.ts';

/** The UTF-16 code units of a long text that are read for each character of the excerpt. */
const READ_FOR_EACH = 5;
const LEAST_READ = 1_000;

const EMPTY_LINES = /^(?:[ \t]*\r?\n)+/;
const CUT = '…';

/** A line of a text without marks. */
export interface PlainLine {
  readonly kind: 'text' | 'heading' | 'item' | 'row' | 'code' | 'rule' | 'def';
  readonly text: string;
  /** The bullet or the number before an item, in its first line; else empty. */
  readonly mark: string;
  /** True if it is the first line of its block. */
  readonly isFirst: boolean;
  /** True if it is the first line of an item. */
  readonly isItem: boolean;
  readonly isQuoted: boolean;
}

/** The addresses in a plain text: those of links are written after them, or none is, or not even those that stand alone. */
type ShownAddresses = 'all' | 'bare' | 'none';

/** Options about the parts of a text that are shown. */
export interface PlainOptions {
  readonly addresses?: ShownAddresses;
  /** True if quotes are left out, unless there is nothing else. */
  readonly isOwn?: boolean;
  /** False if items have numbers only, which their author has written. */
  readonly hasBullets?: boolean;
}

/** A text in one piece. */
export interface Excerpt {
  readonly text: string;
  readonly isCut: boolean;
}

/** A parsed text as lines without marks, with blocks in place of what spoilers cover. */
export function plainLines(
  { tokens, kind }: MessageText,
  { addresses = 'bare', isOwn = false, hasBullets = true }: PlainOptions = {},
): readonly PlainLine[] {
  const reader = new PlainReader(addresses, hasBullets ? '•' : '');
  if (kind === 'plain') reader.addText(tokens, { ...OUTSIDE, kind: 'text' });
  else reader.addBlocks(tokens, OUTSIDE);
  const lines = reader.lines.filter(({ text, mark }) => text !== '' || mark !== '');
  const shown = lines.filter((line) => isWords(line) && !(isOwn && line.isQuoted));
  if (shown.length > 0) return shown;
  const words = lines.filter(isWords);
  return words.length > 0 ? words : lines;
}

/** A text in Markdown as plain text: its lines, with their bullets and numbers. */
export function plainText(content: string, options: PlainOptions = {}): string {
  return textOf(plainLines(parseMarkdown(content), options));
}

/** The beginning of a text in Markdown as plain text, of at most `most` characters. It is not cut within a character. */
export function excerptOf(content: string, most: number, options: PlainOptions = {}): Excerpt {
  // White space before the first words may make code of them.
  const { text, isCut } = parseBeginning(content.replace(EMPTY_LINES, ''), most);
  const whole = textOf(plainLines(text, options));
  const shown = firstCharacters(whole, most);
  return { text: shown, isCut: isCut || shown.length < whole.length };
}

/** An excerpt that says by an ellipsis if it was cut. */
export function withEllipsis({ text, isCut }: Excerpt): string {
  return isCut ? `${text.trimEnd()}${CUT}` : text;
}

/** At most `most` code points of a text, without a part of what a reader sees as one character. */
export function firstCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  let kept = '';
  let count = 0;
  // No character that readers see needs as many.
  const read = text.slice(0, 4 * most + 64);
  for (const { segment } of new Intl.Segmenter().segment(read)) {
    count += Array.from(segment).length;
    if (count > most) return kept;
    kept += segment;
  }
  return kept;
}

/** At most `most` characters of a plain text, with an ellipsis if it was cut. It is not cut within a character. */
export function shortened(text: string, most: number): string {
  const shown = firstCharacters(text, most);
  return withEllipsis({ text: shown, isCut: shown.length < text.length });
}

/** Parses as much of a text as an excerpt needs. A spoiler that ends only after that covers the rest of it. */
export function parseBeginning(
  content: string,
  most: number,
): { readonly text: MessageText; readonly isCut: boolean } {
  const length = Math.max(READ_FOR_EACH * most, LEAST_READ);
  if (content.length <= length) return { text: parseMarkdown(content), isCut: false };
  const read = firstOf(content, length);
  return { text: parseMarkdown(read, { isBeginning: true }), isCut: true };
}

function isWords({ kind }: PlainLine): boolean {
  return kind !== 'rule' && kind !== 'def';
}

function textOf(lines: readonly PlainLine[]): string {
  return lines.map(lineText).join('\n').trim();
}

/** A line with its bullet or number. */
export function lineText({ mark, text }: PlainLine): string {
  return mark === '' ? text : `${mark} ${text}`;
}

type Place = Pick<PlainLine, 'kind' | 'isItem' | 'isQuoted' | 'mark'>;

const OUTSIDE: Place = { kind: 'text', isItem: false, isQuoted: false, mark: '' };

class PlainReader {
  readonly lines: PlainLine[] = [];
  readonly #addresses: ShownAddresses;
  readonly #bullet: string;

  constructor(addresses: ShownAddresses, bullet: string) {
    this.#addresses = addresses;
    this.#bullet = bullet;
  }

  addBlocks(tokens: readonly MessageToken[], place: Place): void {
    let at = place;
    for (const token of tokens) {
      this.#addBlock(token, at);
      // The mark is before the first of them.
      at = { ...place, isItem: false, mark: '' };
    }
  }

  addText(tokens: readonly MessageToken[], place: Place): void {
    this.#addLines(this.#inline(tokens), place);
  }

  #addBlock(token: MessageToken, place: Place): void {
    switch (token.type) {
      case 'blockquote':
        return this.addBlocks(token.tokens, { ...place, isQuoted: true });
      case 'list':
        for (const item of token.items) this.#addItem(item, place);
        return;
      case 'list_item':
        return this.#addItem(token, place);
      case 'heading':
        return this.addText(token.tokens, { ...place, kind: 'heading' });
      case 'code':
        return this.#addLines(token.text, { ...place, kind: 'code' });
      case 'table':
        for (const row of [token.header, ...token.rows]) {
          const cells = row.map((cell) => this.#inline(cell.tokens)).join(', ');
          this.#addLines(cells, { ...place, kind: 'row' });
        }
        return;
      case 'hr':
        return this.#addLines(token.raw, { ...place, kind: 'rule' });
      case 'def':
        return this.#addLines(token.raw, { ...place, kind: 'def' });
      case 'paragraph':
      case 'html':
        return this.addText(token.tokens, place);
      case 'text':
        return this.addText(token.tokens ?? [token], place);
      case 'br':
      case 'escape':
      case 'codespan':
      case 'checkbox':
      case 'spoiler':
      case 'strong':
      case 'em':
      case 'del':
      case 'link':
      case 'image':
        return this.addText([token], place);
    }
  }

  #addItem({ mark, tokens }: ListItemToken, place: Place): void {
    // An item of an item of the same line has both marks.
    const own = /^\d/.test(mark) ? mark : this.#bullet;
    const marks = place.mark === '' ? own : `${place.mark} ${own}`.trim();
    this.addBlocks(tokens, { ...place, kind: 'item', isItem: true, mark: marks });
  }

  #addLines(text: string, place: Place): void {
    for (const [at, line] of text.split('\n').entries()) {
      const shown = place.kind === 'code' ? line.trimEnd() : line.trim();
      const own = at === 0 ? place : { ...place, isItem: false, mark: '' };
      this.lines.push({ ...own, text: shown, isFirst: at === 0 });
    }
  }

  #inline(tokens: readonly MessageToken[]): string {
    return tokens.map((token) => this.#words(token)).join('');
  }

  #words(token: MessageToken): string {
    if (token.type === 'br') return '\n';
    if (token.type === 'spoiler') return HIDDEN_SPOILER;
    if (token.type === 'link' || token.type === 'image') return this.#link(token);
    const tokens = tokensIn(token);
    if (tokens.length > 0) return this.#inline(tokens);
    return 'text' in token ? token.text : token.raw;
  }

  #link({ type, href, text, isAddress, tokens }: LinkToken): string {
    if (isAddress === true) return this.#addresses === 'none' ? '' : text;
    const words = type === 'image' ? text : this.#inline(tokens);
    if (this.#addresses === 'none' || (this.#addresses === 'bare' && words !== '')) return words;
    return words === '' ? href : `${words} (${href})`;
  }
}
