import { excerptOf, lineText, parseBeginning, plainLines, shortened } from '@hearth/markdown';
import { countCodePoints, UNSAFE_CHARACTERS, type Id } from '@hearth/protocol';

/** A message that can be quoted. */
export interface Quotable {
  readonly author: string;
  readonly content: string;
  /** Its beginning in plain text, if that is known; else that of `content` is used. */
  readonly excerpt?: string | undefined;
  readonly id?: Id | undefined;
}

/** A quote at the beginning of a message, as {@link replyTo} writes it. */
export interface Quote {
  /** Plain text. */
  readonly author: string;
  /** Plain text; empty if the quote has none. */
  readonly excerpt: string;
  /** The address of the quoted message. */
  readonly url: string | undefined;
  /** The message without the quote. */
  readonly text: string;
}

const MOST_EXCERPT_CHARACTERS = 80;

/** More of a text is not shown. */
const MOST_PLAIN_CHARACTERS = 1_000;

const CUT = '…';
const LINE_BREAKS = /\r\n|[\n\r\u2028\u2029]/;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;
const SCHEME = /https?:\/\//gi;

/** Matches what Markdown would read as markup within a line; an underscore only at the edge of a word. */
const MARKUP = /[\\`*[\]<>~|]|&(?=#?\w)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

const QUOTE =
  /^> (?:\[((?:\\.|[^\\\]])+)\]\((https?:\/\/[^()\s]+)\)|\*\*((?:\\.|[^\\*])+)\*\*)(?:: (.+))?(?:\n\n|$)/i;

/**
 * A message as a quote of one line, in Markdown that is also readable as plain text: its author, which is a link to the
 * message if `url` is given, and an excerpt.
 *
 * @example quoteOf({ author: 'ada', content: 'good *evening*\neveryone' }) // '> **ada**: good evening'
 */
export function quoteOf(
  message: Quotable,
  options: { readonly url?: string | undefined } = {},
): string {
  const heading = headingOf(message, options.url);
  const excerpt = firstLineOf(message);
  return excerpt === '' ? heading : `${heading}: ${escaped(excerpt)}`;
}

/**
 * The content of a reply: the quote, an empty line, `text`. If that is longer than `messageLimit`, the excerpt is left
 * out, and if necessary the whole quote.
 */
export function replyTo(
  message: Quotable,
  text: string,
  options: { readonly url?: string | undefined; readonly messageLimit?: number | undefined } = {},
): string {
  const { url, messageLimit = Infinity } = options;
  const quotes = [quoteOf(message, { url }), headingOf(message, url)];
  const replies = quotes.map((quote) => `${quote}\n\n${text}`);
  return replies.find((reply) => countCodePoints(reply) <= messageLimit) ?? text;
}

/** The quote at the beginning of `content`; undefined if there is none of this form. */
export function readQuote(content: string): Quote | undefined {
  const [quote, linked, url, bold, excerpt = ''] = QUOTE.exec(content) ?? [];
  const author = linked ?? bold;
  if (quote === undefined || author === undefined) return undefined;
  const text = content.slice(quote.length);
  return { author: unescaped(author), excerpt: unescaped(excerpt), url, text };
}

function headingOf({ author }: Quotable, url: string | undefined): string {
  const name = escaped(oneLine(author) || CUT);
  return `> ${url === undefined ? `**${name}**` : `[${name}](${destination(url)})`}`;
}

/** The first line of words, in plain text and without what a reader has to uncover. */
function firstLineOf({ content, excerpt }: Quotable): string {
  const lines = (excerpt?.split(LINE_BREAKS) ?? linesOf(content)).map(withoutSchemes);
  const first = lines.find((line) => /[^\s\p{P}]/u.test(line)) ?? lines[0] ?? '';
  return shortened(first, MOST_EXCERPT_CHARACTERS);
}

function linesOf(content: string): readonly string[] {
  const { text } = parseBeginning(content, MOST_PLAIN_CHARACTERS);
  return plainLines(text, { isOwn: true, hasBullets: false }).map(lineText);
}

/**
 * A message in plain text, for a notification: without Markdown, without addresses, with `▇▇▇` for each spoiler. A quote is
 * left out if there is more than it. Only the beginning is read.
 *
 * @example plainTextOf('**Hello** https://example.org') // 'Hello'
 */
export function plainTextOf(content: string): string {
  const { text } = excerptOf(content, MOST_PLAIN_CHARACTERS, {
    isOwn: true,
    hasBullets: false,
    addresses: 'none',
  });
  const lines = text.split('\n').map(oneLine);
  return lines.filter((line) => line !== '').join('\n');
}

/** Clients would link an address, and show the file at it once more. */
function withoutSchemes(line: string): string {
  let text = oneLine(line);
  while (SCHEME.test(text)) text = text.replaceAll(SCHEME, '');
  return text;
}

function oneLine(text: string): string {
  return text.replaceAll(UNSAFE_CHARACTERS, ' ').replaceAll(/\s+/g, ' ').trim();
}

function escaped(text: string): string {
  return text.replaceAll(MARKUP, '\\$&');
}

function unescaped(text: string): string {
  return text.replaceAll(ESCAPED, '$1');
}

/** `url` as the destination of a Markdown link. */
function destination(url: string): string {
  return url.replaceAll(
    /[()<>\\\s]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  );
}
