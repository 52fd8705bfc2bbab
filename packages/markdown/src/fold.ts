import { firstOf, HALF_CHARACTER } from './first-of.ts';
import { parseMarkdown, type MessageText } from './parse-markdown.ts';
import {
  tokensIn,
  type CodeToken,
  type ListToken,
  type MessageToken,
  type SpoilerToken,
  type TableToken,
} from './tokens.ts';

const CUT: MessageToken = { type: 'text', raw: '…', text: '…' };

/** The most that is shown of a text. */
export interface FoldLimits {
  /** In UTF-16 code units. */
  readonly characters: number;
  readonly lines?: number;
}

/** The beginning of a parsed text, with an ellipsis where it was cut. What is in a spoiler stays in it. */
export function fold(
  text: MessageText,
  limits: FoldLimits,
): { readonly text: MessageText; readonly isCut: boolean } {
  const folder = new Folder(limits);
  const tokens = folder.fold(text.tokens);
  if (!folder.isCut) return { text, isCut: false };
  if (!folder.isMarked) {
    tokens.push(text.kind === 'plain' ? CUT : { type: 'paragraph', raw: CUT.raw, tokens: [CUT] });
  }
  return { text: { kind: text.kind, tokens }, isCut: true };
}

/**
 * The beginning of a text in Markdown, as Markdown: at most `most` UTF-16 code units, without half a character at the end. It ends
 * before a spoiler that would lose its end, because then nothing would cover it.
 */
export function beginningOf(content: string, most: number): string {
  if (content.length <= most) return content;
  const begin = firstOf(content, most);
  if (!begin.includes('||')) return begin;
  const { kind, tokens } = parseMarkdown(begin, { isBeginning: true });
  if (kind === 'plain') return begin.slice(0, begin.indexOf('||'));
  // Lines of quotes have less in `raw` than in the text, but no bars less.
  const bars = openSpoiler(tokens)?.raw.match(/\|\|/g) ?? [];
  return begin.slice(
    0,
    bars.reduce((end, mark) => begin.lastIndexOf(mark, end - 2), begin.length),
  );
}

function openSpoiler(tokens: readonly MessageToken[]): SpoilerToken | undefined {
  // Nothing comes after it.
  const last = tokens.at(-1);
  if (last === undefined) return undefined;
  return last.type === 'spoiler' && last.isOpen ? last : openSpoiler(tokensIn(last));
}

class Folder {
  #characters: number;
  #lines: number;
  isCut = false;
  /** True if the ellipsis has been added. */
  isMarked = false;

  constructor({ characters, lines = Infinity }: FoldLimits) {
    this.#characters = characters;
    this.#lines = lines;
  }

  fold(tokens: readonly MessageToken[]): MessageToken[] {
    const folded: MessageToken[] = [];
    for (const token of tokens) {
      const shown = this.isCut ? undefined : this.#fold(token);
      if (shown === undefined) break;
      folded.push(shown);
      if (this.isCut && !this.isMarked && isInLine(token)) {
        folded.push(CUT);
        this.isMarked = true;
      }
    }
    return folded;
  }

  /** Takes a line; false if none is left. */
  #takeLine(): boolean {
    this.#lines -= 1;
    this.isCut ||= this.#lines < 0 || this.#characters <= 0;
    return !this.isCut;
  }

  #fold(token: MessageToken): MessageToken | undefined {
    switch (token.type) {
      case 'br':
        return this.#takeLine() ? token : { type: 'text', raw: '', text: '' };
      case 'hr':
      case 'def':
        return this.#takeLine() ? token : undefined;
      case 'code':
        return this.#foldCode(token);
      case 'list':
        return this.#foldList(token);
      case 'table':
        return this.#foldTable(token);
      case 'checkbox':
        return token;
      case 'paragraph':
      case 'heading':
        return this.#takeLine() ? { ...token, tokens: this.fold(token.tokens) } : undefined;
      case 'blockquote':
      case 'list_item':
      case 'spoiler':
      case 'strong':
      case 'em':
      case 'del':
      case 'html':
      case 'link':
      case 'image':
        return { ...token, tokens: this.fold(token.tokens) };
      case 'text':
        if (token.tokens !== undefined) return { ...token, tokens: this.fold(token.tokens) };
        return this.#foldText(token);
      case 'escape':
      case 'codespan':
        return this.#foldText(token);
    }
  }

  #foldText<Token extends MessageToken & { readonly text: string }>(token: Token): Token {
    return { ...token, ...this.#taken(token.text, token.raw) };
  }

  #taken(text: string, raw: string): { readonly text: string; readonly raw: string } {
    const left = this.#characters;
    this.#characters -= text.length;
    if (text.length <= left) return { text, raw };
    this.isCut = true;
    const shown = text.slice(0, left).replace(HALF_CHARACTER, '');
    return { text: shown, raw: shown };
  }

  #foldCode(token: CodeToken): MessageToken | undefined {
    if (!this.#takeLine()) return undefined;
    const lines = token.text.split('\n');
    const shown = lines.slice(0, this.#lines + 1);
    this.#lines -= shown.length - 1;
    this.isCut ||= shown.length < lines.length;
    const { text } = this.#taken(shown.join('\n'), token.raw);
    return { ...token, text, raw: text };
  }

  #foldList(token: ListToken): MessageToken | undefined {
    const items: ListToken['items'][number][] = [];
    for (const item of token.items) {
      if (this.isCut || !this.#takeLine()) break;
      // The first block of an item is in the line of its mark.
      this.#lines += item.tokens[0]?.type === 'paragraph' ? 1 : 0;
      items.push({ ...item, tokens: this.fold(item.tokens) });
    }
    return items.length === 0 ? undefined : { ...token, items };
  }

  #foldTable(token: TableToken): MessageToken | undefined {
    if (!this.#takeLine()) return undefined;
    const rowOf = (row: TableToken['header']) =>
      row.map((cell) => ({ ...cell, tokens: this.fold(cell.tokens) }));
    const header = rowOf(token.header);
    const rows: TableToken['rows'][number][] = [];
    for (const row of token.rows) {
      if (this.isCut || !this.#takeLine()) break;
      rows.push(rowOf(row));
    }
    return { ...token, header, rows };
  }
}

function isInLine({ type }: MessageToken): boolean {
  return ['text', 'escape', 'codespan', 'br', 'html'].includes(type);
}
