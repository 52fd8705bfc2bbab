import { readQuote, shownSize, type FileData, type ReceivedMessage } from '@hearth/sdk';
import { formatSize, inLine, printable } from '../text.ts';

/** How a terminal shows texts. */
export interface TextStyle {
  readonly isColoured: boolean;
  /** Whether the terminal can link a text to an address. */
  readonly hasLinks: boolean;
  /** The id of the instance's file at an address. */
  readonly idOf: (address: string) => string | undefined;
}

/** A part of a text with one style. `address` is set if it is one. */
interface Piece {
  readonly text: string;
  readonly style: string;
  readonly address?: string;
  /** Whether it stands for a spoiler. */
  readonly isHidden?: true;
}

const BOLD = '1';
const DIM = '2';
const ITALIC = '3';
const CODE = '36';

const HIDDEN = '[spoiler]';
const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;
const ADDRESS = /https?:\/\/[^\s<>()"|]+/gi;
const END_OF_ADDRESS = /[^\p{L}\p{N}/=&#_-]+$/u;

const NOT_BEFORE = String.raw`(?<![\p{L}\p{N}*_\\])`;
const NOT_AFTER = String.raw`(?![\p{L}\p{N}*_])`;
const MARKUP = new RegExp(
  [
    String.raw`^(?<fence>\x60{3,}|~{3,})[^\n]*\n(?<block>(?:[^]*?\n)??)\k<fence>[ \t]*$`,
    String.raw`(?<!\x60)\x60(?!\x60)(?<code>[^\x60\n]+)\x60(?!\x60)`,
    String.raw`\|\|(?=[^\s|])(?<spoiler>[^]*?[^\s|])\|\|`,
    String.raw`${NOT_BEFORE}\*\*(?=[^\s*])(?<bold>[^\n]*?[^\s*])\*\*${NOT_AFTER}`,
    String.raw`${NOT_BEFORE}(?<mark>[*_])(?=[^\s*_])(?<italic>[^\n]*?[^\s*_])\k<mark>${NOT_AFTER}`,
    String.raw`(?<address>${ADDRESS.source})`,
  ].join('|'),
  'gimu',
);

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

/** Whether a message hides a part of its text. */
export function hasSpoiler(content: string): boolean {
  return piecesOf(readQuote(content)?.text ?? content, false).some(({ isHidden }) => isHidden);
}

/** The web addresses in a text, without the quote at its beginning. */
export function addressesIn(content: string): readonly string[] {
  const text = readQuote(content)?.text ?? content;
  return Array.from(text.matchAll(ADDRESS), ([address]) => trimmed(address)).filter((address) =>
    URL.canParse(address),
  );
}

/** A text in which each address of a file is followed by what the file is. */
export function withFiles(
  { content, attachments = [] }: Pick<ReceivedMessage, 'content' | 'attachments'>,
  idOf: TextStyle['idOf'],
): string {
  if (attachments.length === 0) return content;
  return content.replaceAll(ADDRESS, (given) => {
    const address = trimmed(given);
    const id = idOf(address);
    const file = attachments.find((data) => data.id === id);
    const rest = given.slice(address.length);
    return file === undefined ? given : `${address} ${fileLabel(file)}${rest}`;
  });
}

/** What a file is, in brackets: `[cat.png · picture 1600×1200 · 77 kB]`. */
export function fileLabel(data: FileData): string {
  const { name, metadata, size, spoiler } = data;
  const sides = shownSize(data);
  const kind = { image: 'picture', video: 'video', text: 'text', other: '' }[metadata.type];
  const parts = [
    inLine(name),
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
function piecesOf(text: string, hasStyles: boolean, outer: readonly string[] = []): Piece[] {
  const style = outer.join(';');
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: raw, index, groups = {} } of text.matchAll(MARKUP)) {
    pieces.push({ text: text.slice(end, index), style });
    end = index + raw.length;
    const { block, code, spoiler, bold, italic, address } = groups;
    const verbatim = block?.replace(/\n$/, '') ?? code;
    const emphasised = bold ?? italic;
    if (spoiler !== undefined) {
      pieces.push({ text: HIDDEN, style, isHidden: true });
    } else if (address !== undefined) {
      pieces.push(...addressPieces(address, style));
    } else if (verbatim !== undefined && hasStyles) {
      pieces.push(...linked(verbatim, [...outer, CODE].join(';')));
    } else if (verbatim !== undefined) {
      pieces.push(...linked(raw, style));
    } else if (emphasised !== undefined) {
      const inner = hasStyles ? [...outer, bold === undefined ? ITALIC : BOLD] : outer;
      const mark = hasStyles ? '' : raw.slice(0, bold === undefined ? 1 : 2);
      pieces.push({ text: mark, style }, ...piecesOf(emphasised, hasStyles, inner));
      pieces.push({ text: mark, style });
    }
  }
  return [...pieces, { text: text.slice(end), style }];
}

/** The parts of a text in which only addresses matter. */
function linked(text: string, style: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    pieces.push({ text: text.slice(end, index), style }, ...addressPieces(address, style));
    end = index + address.length;
  }
  return [...pieces, { text: text.slice(end), style }];
}

function addressPieces(given: string, style: string): Piece[] {
  const address = trimmed(given);
  return [
    { text: address, style, address },
    { text: given.slice(address.length), style },
  ];
}

/** An address without the punctuation of the sentence after it. */
function trimmed(address: string): string {
  return address.replace(END_OF_ADDRESS, '');
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
