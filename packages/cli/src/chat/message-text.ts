import { OpenSpoilers, parseText, webAddressesIn, type MessageToken } from '@hearth/markdown';
import { readQuote, shownSize, type FileData, type ReceivedMessage } from '@hearth/sdk';
import { fileName, formatSize, inLine, printable } from '../text.ts';

export interface TextStyle {
  readonly isColoured: boolean;
  /** True if the terminal can link a text to an address. */
  readonly hasLinks: boolean;
  /** The id of the instance's file at an address. */
  readonly idOf: (address: string) => string | undefined;
}

/** A part of a text with one style. `address` is set if it is one. */
interface Piece {
  readonly text: string;
  readonly style: string;
  readonly address?: string;
  /** True if it stands for a spoiler. */
  readonly isHidden?: true;
}

const BOLD = '1';
const DIM = '2';
const ITALIC = '3';
const CODE = '36';

const HIDDEN = '[spoiler]';
const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;
const FENCE = /^(?:`{3,}|~{3,})/;
const ONLY_FENCE = /^(`{3,}|~{3,})[ \t]*\n?$/;

/**
 * The lines of a message's text as a terminal shows them: a quote in one line, bold and code in their styles, spoilers
 * hidden, and files described. Everything else is shown as it was written. Only the styles and links can act on the
 * terminal.
 */
export function messageLines(
  { content, attachments = [] }: Pick<ReceivedMessage, 'content' | 'attachments'>,
  style: TextStyle,
): readonly string[] {
  const quote = readQuote(content);
  const quoted = quote === undefined ? [] : [quoteLine(quote, style)];
  const text = quote === undefined ? content : quote.text;
  if (text === '' && quote !== undefined) return quoted;
  const lines = [''];
  for (const piece of piecesOf(text, style.isColoured)) {
    const [first = '', ...others] = shown(piece, attachments, style);
    lines.push(`${lines.pop() ?? ''}${first}`, ...others);
  }
  return [...quoted, ...lines];
}

/** A text as it was written, with its spoilers hidden. */
export function coveredText(content: string): string {
  return piecesOf(content, false)
    .map(({ text }) => text)
    .join('');
}

/** Returns whether a message hides a part of its text. */
export function hasSpoiler(content: string): boolean {
  return piecesOf(readQuote(content)?.text ?? content, false).some(({ isHidden }) => isHidden);
}

/** The web addresses in a text, without the quote at its beginning. */
export function addressesIn(content: string): readonly string[] {
  const text = readQuote(content)?.text ?? content;
  return webAddressesIn(text)
    .map(({ href }) => href)
    .filter((address) => URL.canParse(address));
}

/** A text in which each address of a file is followed by what the file is. */
export function withFiles(
  { content, attachments = [] }: Pick<ReceivedMessage, 'content' | 'attachments'>,
  idOf: TextStyle['idOf'],
): string {
  if (attachments.length === 0) return content;
  let text = '';
  let from = 0;
  for (const { end, href } of webAddressesIn(content)) {
    const id = idOf(href);
    const file = attachments.find((data) => data.id === id);
    text += content.slice(from, end) + (file === undefined ? '' : ` ${fileLabel(file)}`);
    from = end;
  }
  return text + content.slice(from);
}

/** Returns a description of a file, in brackets: `[cat.png · picture 1600×1200 · 77 kB]`. */
export function fileLabel(data: FileData): string {
  const { name, metadata, size, spoiler } = data;
  const sides = shownSize(data);
  const kind = { image: 'picture', video: 'video', text: 'text', other: '' }[metadata.type];
  const parts = [
    fileName(name),
    spoiler === true ? 'spoiler' : '',
    sides === undefined ? kind : `${kind} ${sides.width}×${sides.height}`,
    size === undefined ? '' : formatSize(size).replace('.0 ', ' '),
  ];
  return `[${parts.filter((part) => part !== '').join(' · ')}]`;
}

/** Replaces what could act on a terminal. Tabs become spaces. */
export function harmless(line: string): string {
  return printable(line.replaceAll('\t', '    '));
}

function quoteLine(
  { author, excerpt }: { readonly author: string; readonly excerpt: string },
  { isColoured }: TextStyle,
): string {
  const text = inLine(excerpt === '' ? `↪ ${author}` : `↪ ${author}: ${excerpt}`);
  return styled(text, isColoured ? DIM : '');
}

/** The parts of a text. Without styles, its marks stay as they are. */
function piecesOf(text: string, hasStyles: boolean): Piece[] {
  return blocksOf(text.replaceAll(/\r\n?/g, '\n')).flatMap(({ raw, code }) => {
    if (code === undefined) return tokenPieces(parseText(raw), { hasStyles, outer: [] });
    return hasStyles ? linked(code, CODE) : linked(raw, '');
  });
}

interface TextBlock {
  readonly raw: string;
  /** The text between its fences. */
  readonly code?: string;
}

/**
 * Paragraphs, with the empty lines after them, and code in fences. Nothing begins in a spoiler that goes on. Takes linear time: a
 * fence without an end begins nothing.
 */
function blocksOf(text: string): readonly TextBlock[] {
  const lines = text.split(/(?<=\n)/);
  const lastOf = new Map<string, number>();
  for (const [at, line] of lines.entries()) {
    const fence = ONLY_FENCE.exec(line)?.[1];
    if (fence !== undefined) lastOf.set(fence, at);
  }
  const blocks: TextBlock[] = [];
  let paragraph: string[] = [];
  let isAfterBlank = false;
  const spoilers = new OpenSpoilers(lines);
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ raw: paragraph.join('') });
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const fence = FENCE.exec(line)?.[0] ?? '';
    const isFence = !fence.startsWith('`') || !line.includes('`', fence.length);
    const start = at;
    if (spoilers.covers(at)) {
      paragraph.push(line);
      spoilers.add(line);
    } else if (isFence && at < (lastOf.get(fence) ?? 0)) {
      endParagraph();
      do at += 1;
      while (ONLY_FENCE.exec(lines[at] ?? '')?.[1] !== fence);
      const code = lines.slice(start + 1, at).join('');
      const end = (lines[at] ?? '').slice(fence.length);
      const raw = lines.slice(start, at + 1).join('');
      blocks.push({ raw: raw.slice(0, raw.length - end.length), code: code.replace(/\n$/, '') });
      paragraph.push(end);
      spoilers.end();
    } else {
      const isBlank = line.trim() === '';
      if (isAfterBlank && !isBlank) endParagraph();
      isAfterBlank = isBlank;
      if (paragraph.length === 0) spoilers.end();
      paragraph.push(line);
      spoilers.add(line);
    }
  }
  endParagraph();
  return blocks;
}

interface Around {
  readonly hasStyles: boolean;
  readonly outer: readonly string[];
}

function tokenPieces(tokens: readonly MessageToken[], around: Around): Piece[] {
  return tokens.flatMap((token) => tokenPiece(token, around));
}

function tokenPiece(token: MessageToken, { hasStyles, outer }: Around): Piece[] {
  const style = outer.join(';');
  const { raw } = token;
  if (token.type === 'spoiler') return [{ text: HIDDEN, style, isHidden: true }];
  if (token.type === 'codespan') {
    return hasStyles ? linked(token.text, [...outer, CODE].join(';')) : linked(raw, style);
  }
  const inner = { hasStyles, outer };
  if (token.type === 'strong' || token.type === 'em') {
    const mark = { text: hasStyles ? '' : raw.slice(0, token.type === 'em' ? 1 : 2), style };
    const own = token.type === 'em' ? ITALIC : BOLD;
    const within = hasStyles ? { ...inner, outer: [...outer, own] } : inner;
    return [mark, ...tokenPieces(token.tokens, within), mark];
  }
  const begin = token.type === 'del' ? '~~' : token.type === 'html' ? '' : /^!?\[/.exec(raw)?.[0];
  if (!('tokens' in token) || token.tokens === undefined || begin === undefined) {
    return linked(raw, style);
  }
  const length = token.tokens.reduce((sum, each) => sum + each.raw.length, begin.length);
  return [
    { text: begin, style },
    ...tokenPieces(token.tokens, inner),
    ...linked(raw.slice(length), style),
  ];
}

/** The parts of a text in which only addresses matter. */
function linked(text: string, style: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { start, end: to, href } of webAddressesIn(text)) {
    pieces.push({ text: text.slice(end, start), style });
    pieces.push({ text: text.slice(start, to), style, address: href });
    end = to;
  }
  return [...pieces, { text: text.slice(end), style }];
}

/** The lines of a part as they are printed. */
function shown(
  { text, style, address }: Piece,
  attachments: readonly FileData[],
  { hasLinks, idOf }: TextStyle,
): readonly string[] {
  const id = address === undefined ? undefined : idOf(address);
  const file = id === undefined ? undefined : attachments.find((data) => data.id === id);
  if (file === undefined || address === undefined) {
    return text.split(LINE_BREAK).map((line) => styled(harmless(line), style));
  }
  const label = fileLabel(file);
  const target = new URL(address).href;
  // An address in a sequence must be of characters that cannot end it.
  if (hasLinks && /^[!-~]+$/.test(target)) return [link(styled(label, style), target)];
  return [styled(`${harmless(text)} ${label}`, style)];
}

function styled(text: string, style: string): string {
  return style === '' || text === '' ? text : `\u001B[${style}m${text}\u001B[0m`;
}

function link(text: string, address: string): string {
  return `\u001B]8;;${address}\u001B\\${text}\u001B]8;;\u001B\\`;
}
