import {
  DEEPEST,
  HIDDEN_SPOILER,
  parseMarkdown,
  withoutSpoilers,
  type MessageToken,
} from '@hearth/markdown';

/** Markdown as text without marks, in one line for each paragraph or item; what is covered as a spoiler is left out. */
export function markdownText(content: string): string {
  const { kind, tokens } = parseMarkdown(content);
  const text = kind === 'markdown' ? textOf(tokens, 0) : withoutSpoilers(content);
  return text.replaceAll(/\n{2,}/g, '\n').trim();
}

function textOf(tokens: readonly MessageToken[], depth: number): string {
  return tokens.map((token) => tokenText(token, depth)).join('');
}

function inner(token: MessageToken, depth: number): string {
  if ('tokens' in token && token.tokens !== undefined) return textOf(token.tokens, depth + 1);
  return 'text' in token ? token.text : token.raw;
}

function tokenText(token: MessageToken, depth: number): string {
  if (depth > DEEPEST) return withoutSpoilers(token.raw);
  switch (token.type) {
    case 'def':
    case 'hr':
    case 'br':
      return '\n';
    case 'paragraph':
    case 'heading':
    case 'blockquote':
      return `${inner(token, depth)}\n`;
    case 'code':
      return `${token.text}\n`;
    case 'list':
      return token.items.map((item) => `• ${inner(item, depth).trim()}\n`).join('');
    case 'table':
      return [token.header, ...token.rows]
        .map((row) => `${row.map((cell) => textOf(cell.tokens, depth + 1)).join(', ')}\n`)
        .join('');
    case 'spoiler':
      return HIDDEN_SPOILER;
    case 'image':
      return token.text;
    case 'html':
      return token.block ? `${inner(token, depth)}\n` : inner(token, depth);
    case 'strong':
    case 'em':
    case 'del':
    case 'codespan':
    case 'link':
    case 'text':
    case 'escape':
    case 'checkbox':
    case 'list_item':
      return inner(token, depth);
  }
}
