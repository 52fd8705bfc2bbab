import { countCodePoints, UNSAFE_CHARACTERS, type Id } from '@hearth/protocol';

/** A message that can be quoted. */
export interface Quotable {
  readonly author: string;
  readonly content: string;
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

/** More of a line is not read. */
const MOST_LINE_LENGTH = 500;

/** More lines are not read. */
const MOST_LINES = 40;

const CUT = '…';
const LINE_BREAKS = /\r\n|[\n\r\u2028\u2029]/;
const QUOTED = /^\s*>/;
const SPOILER = /\|\|[^]+?\|\|/g;
const FENCE = /^\s*(?:`{3,}|~{3,})/;
const HEADING_OR_BULLET = /^\s*(?:#{1,6}\s+|[-*+]\s+)+/;
const LINK = /!?\[([^[\]]*)\]\([^()\s]*\)/g;
const ADDRESS = /<?https?:\/\/[^\s<>]+>?/gi;
const EMPHASIS = /(^|[^\p{L}\p{N}\\])(\*{1,3}|_{1,3}|~~)(\S(?:.*?\S)?)\2(?![\p{L}\p{N}])/gu;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;
const SCHEME = /https?:\/\//gi;

/** What Markdown would read as markup within a line; an underscore only at the edge of a word. */
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
  const excerpt = excerptOf(message.content);
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
function excerptOf(content: string): string {
  const lines = content.replaceAll(SPOILER, CUT).split(LINE_BREAKS);
  const own = lines.findIndex((line) => !QUOTED.test(line) && line.trim() !== '');
  // A message may consist of a quote only.
  const read = own === -1 ? lines.map((line) => line.replace(/^[\s>]+/, '')) : lines.slice(own);
  for (const line of read.slice(0, MOST_LINES)) {
    const plain = plainLine(line);
    if (/[^\s\p{P}]|…/u.test(plain)) return shortened(plain);
  }
  return shortened(plainLine(read[0] ?? ''));
}

/** `content` with an ellipsis in place of each ||spoiler||. */
export function hideSpoilers(content: string): string {
  return content.replaceAll(SPOILER, CUT);
}

/**
 * A message in plain text, for a notification: without Markdown, without addresses, with `…` for each spoiler. A quote is
 * left out if there is more than it. Only the first lines are read.
 *
 * @example plainTextOf('**Hello** https://example.org') // 'Hello'
 */
export function plainTextOf(content: string): string {
  const lines = hideSpoilers(content)
    .split(LINE_BREAKS, MOST_LINES)
    .filter((line) => !FENCE.test(line));
  const own = lines.filter((line) => !QUOTED.test(line));
  const plain = (each: readonly string[]) =>
    each
      .map((line) => line.slice(0, MOST_LINE_LENGTH).replaceAll(LINK, '$1').replaceAll(ADDRESS, ''))
      .map((line) => plainLine(line.replace(/^[\s>]+/, '')))
      .filter((line) => line !== '')
      .join('\n');
  return plain(own) || plain(lines);
}

function plainLine(line: string): string {
  if (FENCE.test(line)) return '';
  let text = line.slice(0, MOST_LINE_LENGTH).replace(HEADING_OR_BULLET, '').replaceAll(LINK, '$1');
  // Emphasis may be nested.
  for (let depth = 0; depth < 3; depth += 1) text = text.replaceAll(EMPHASIS, '$1$3');
  text = text.replaceAll('`', '').replaceAll(ESCAPED, '$1');
  // Clients would link an address, and show the file at it once more.
  while (SCHEME.test(text)) text = text.replaceAll(SCHEME, '');
  return oneLine(text);
}

function oneLine(text: string): string {
  return text.replaceAll(UNSAFE_CHARACTERS, ' ').replaceAll(/\s+/g, ' ').trim();
}

/** At most as many characters as an excerpt has; the cut is not within what a reader sees as one character. */
function shortened(text: string): string {
  if (countCodePoints(text) <= MOST_EXCERPT_CHARACTERS) return text;
  let kept = '';
  let count = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    count += countCodePoints(segment);
    if (count > MOST_EXCERPT_CHARACTERS) break;
    kept += segment;
  }
  return `${kept.trimEnd()}${CUT}`;
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
