import {
  directionOf,
  directionOfText,
  fold,
  HIDDEN_SPOILER,
  parseBeginning,
  parseMarkdown,
  safeLink,
  type Direction,
  type ListItemToken,
  type MessageToken,
  type TableCell,
  type TableToken,
  type TextToken,
} from '@hearth/markdown';
import { escapeHtml } from '../../../lib/html.ts';

const BREAK = '<br />';

/**
 * Markdown as HTML, or the beginning of it. Every element is written here, and every text is escaped, so that nothing in it can be
 * markup: what somebody writes as HTML is shown as it was written.
 */
export function markdownHtml(content: string, most = Infinity): string {
  const text =
    content.length > most
      ? fold(parseBeginning(content, most).text, { characters: most }).text
      : parseMarkdown(content);
  const { kind, tokens } = text;
  if (kind === 'plain') return plainHtml(tokens);
  // Links have the addresses that are defined, so they need not be shown unless there is nothing else.
  const others = tokens.filter(({ type }) => type !== 'def');
  return blocks(others.length === 0 ? tokens : others, 'ltr').trimEnd();
}

function plainHtml(tokens: readonly MessageToken[]): string {
  return tokens
    .map((token) => ('text' in token ? token.text : HIDDEN_SPOILER))
    .join('')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => {
      const html = escapeHtml(paragraph).replaceAll('\n', BREAK);
      return element('p', 'ltr', { direction: directionOfText(paragraph), html });
    })
    .join('\n');
}

function blocks(tokens: readonly MessageToken[], around: Direction): string {
  return tokens.map((token) => tokenHtml(token, around)).join('');
}

function inner(token: MessageToken, around: Direction): string {
  if ('tokens' in token && token.tokens !== undefined) return blocks(token.tokens, around);
  return escapeHtml('text' in token ? token.text : token.raw);
}

/** A block in the direction of its text, with what `html` makes of it. */
function directed(
  name: string,
  { token, around }: { readonly token: MessageToken; readonly around: Direction },
  html: (direction: Direction) => string = (direction) => inner(token, direction),
): string {
  const direction = directionOf([token]) ?? around;
  return element(name, around, { direction, html: html(direction) });
}

/** An element that says its direction if it is not that of what is around it. */
function element(
  name: string,
  around: Direction,
  {
    direction = around,
    html,
  }: { readonly direction?: Direction | undefined; readonly html: string },
): string {
  return `<${name}${direction === around ? '' : ` dir="${direction}"`}>${html}</${name}>`;
}

function tokenHtml(token: MessageToken, around: Direction): string {
  switch (token.type) {
    case 'def':
      return element('p', around, { direction: 'ltr', html: escapeHtml(token.raw) });
    case 'paragraph':
      return directed('p', { token, around });
    case 'heading':
      // The title of the page is above those of its texts.
      return directed(`h${Math.min(6, token.depth + 2)}`, { token, around });
    case 'blockquote':
      return directed('blockquote', { token, around });
    case 'code': {
      const html = `<code>${escapeHtml(token.text)}</code>`;
      return element('pre', around, { direction: 'ltr', html });
    }
    case 'list':
      return directed(token.ordered ? 'ol' : 'ul', { token, around }, (direction) =>
        token.items.map((item) => itemHtml(item, direction)).join(''),
      );
    case 'table':
      return directed('table', { token, around }, (direction) => tableHtml(token, direction));
    case 'hr':
      return '<hr />';
    case 'br':
      return BREAK;
    case 'strong':
    case 'em':
    case 'del':
      return `<${token.type}>${inner(token, around)}</${token.type}>`;
    case 'codespan':
      return `<code>${escapeHtml(token.text)}</code>`;
    case 'link':
      return linkHtml(token.href, inner(token, around), token.text);
    case 'image':
      return linkHtml(token.href, escapeHtml(token.text === '' ? token.href : token.text), '');
    case 'spoiler':
      // Nothing here can hide it until it is asked for.
      return HIDDEN_SPOILER;
    case 'html':
      return token.block ? `${inner(token, around)}\n` : inner(token, around);
    case 'text':
      return textHtml(token, around);
    case 'escape':
    case 'checkbox':
    case 'list_item':
      return inner(token, around);
  }
}

/** Text, or the text of an item in a tight list. */
function textHtml(token: TextToken, around: Direction): string {
  const direction = token.tokens === undefined ? around : (directionOf(token.tokens) ?? around);
  return direction === around ? inner(token, around) : directed('span', { token, around });
}

function tableHtml({ header, rows }: TableToken, around: Direction): string {
  const row = (cells: readonly TableCell[], name: 'th' | 'td') =>
    `<tr>${cells.map((cell) => cellHtml(cell, name)).join('')}</tr>`;
  const cellHtml = ({ tokens }: TableCell, name: string) => {
    const direction = directionOf(tokens) ?? around;
    return element(name, around, { direction, html: blocks(tokens, direction) });
  };
  const body = rows.map((cells) => row(cells, 'td')).join('');
  return `<thead>${row(header, 'th')}</thead><tbody>${body}</tbody>`;
}

// The number is the author's, whatever the numbers before it are.
function itemHtml(item: ListItemToken, around: Direction): string {
  const value = item.number === undefined ? '' : ` value="${item.number}"`;
  return `<li${value}>${inner(item, around)}</li>`;
}

// Crawlers must not take what members write for a recommendation of the instance.
function linkHtml(href: string, html: string, text: string): string {
  const link = safeLink(href, text);
  if (link === undefined) return html;
  return `<a href="${escapeHtml(link.href)}" rel="ugc nofollow noopener">${html}</a>`;
}
