import {
  DEEPEST,
  HIDDEN_SPOILER,
  parseMarkdown,
  safeLink,
  withoutSpoilers,
  type MessageToken,
} from '@hearth/markdown';
import { escapeHtml } from '../page-head.ts';

const BREAK = '<br />';

/**
 * Markdown as HTML. Every element is written here, and every text is escaped, so that nothing in it can be markup: what
 * somebody writes as HTML is shown as it was written.
 */
export function markdownHtml(content: string): string {
  const { kind, tokens } = parseMarkdown(content);
  return kind === 'markdown' ? blocks(tokens, 0).trimEnd() : plainHtml(content);
}

function plainHtml(text: string): string {
  return withoutSpoilers(text)
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', BREAK)}</p>`)
    .join('\n');
}

function blocks(tokens: readonly MessageToken[], depth: number): string {
  return tokens.map((token) => tokenHtml(token, depth)).join('');
}

function inner(token: MessageToken, depth: number): string {
  if ('tokens' in token && token.tokens !== undefined) return blocks(token.tokens, depth + 1);
  return escapeHtml('text' in token ? token.text : token.raw);
}

function tokenHtml(token: MessageToken, depth: number): string {
  if (depth > DEEPEST) return escapeHtml(withoutSpoilers(token.raw));
  switch (token.type) {
    case 'def':
      return '';
    case 'paragraph':
      return `<p>${inner(token, depth)}</p>`;
    case 'heading':
      // The title of the page is above those of its texts.
      return `<h${Math.min(6, token.depth + 2)}>${inner(token, depth)}</h${Math.min(6, token.depth + 2)}>`;
    case 'blockquote':
      return `<blockquote>${inner(token, depth)}</blockquote>`;
    case 'code':
      return `<pre><code>${escapeHtml(token.text)}</code></pre>`;
    case 'list': {
      const items = token.items.map((item) => `<li>${inner(item, depth)}</li>`).join('');
      return token.ordered ? `<ol>${items}</ol>` : `<ul>${items}</ul>`;
    }
    case 'table': {
      const row = (cells: typeof token.header, name: 'th' | 'td') =>
        `<tr>${cells.map((cell) => `<${name}>${blocks(cell.tokens, depth + 1)}</${name}>`).join('')}</tr>`;
      const rows = token.rows.map((cells) => row(cells, 'td')).join('');
      return `<table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table>`;
    }
    case 'hr':
      return '<hr />';
    case 'br':
      return BREAK;
    case 'strong':
    case 'em':
    case 'del':
      return `<${token.type}>${inner(token, depth)}</${token.type}>`;
    case 'codespan':
      return `<code>${escapeHtml(token.text)}</code>`;
    case 'link':
      return linkHtml(token.href, inner(token, depth), token.text);
    case 'image':
      return linkHtml(token.href, escapeHtml(token.text === '' ? token.href : token.text), '');
    case 'spoiler':
      // Nothing here can hide it until it is asked for.
      return HIDDEN_SPOILER;
    case 'html':
      return token.block ? `${inner(token, depth)}\n` : inner(token, depth);
    case 'text':
    case 'escape':
    case 'checkbox':
    case 'list_item':
      return inner(token, depth);
  }
}

// Crawlers must not take what members write for a recommendation of the instance.
function linkHtml(href: string, html: string, text: string): string {
  const link = safeLink(href, text);
  if (link === undefined) return html;
  return `<a href="${escapeHtml(link.href)}" rel="ugc nofollow noopener">${html}</a>`;
}
