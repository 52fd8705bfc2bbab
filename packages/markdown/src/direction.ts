import { tokensIn, type MessageToken } from './tokens.ts';

/** Matches the first character of a text that has a direction. */
const STRONG = /\p{L}|[\u200e\u200f\u061c]/u;
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\u200f\u061c]/u;

/** The direction in which a text is written. */
export type Direction = 'ltr' | 'rtl';

/**
 * The direction of what holds these tokens, such as a list or a quote: that of their first letter, without blocks of code and
 * addresses. Undefined if there is none. Browsers do not find it where each block within has a direction of its own.
 */
export function directionOf(tokens: readonly MessageToken[]): Direction | undefined {
  for (const token of tokens) {
    const found = directionIn(token);
    if (found !== undefined) return found;
  }
  return undefined;
}

function directionIn(token: MessageToken): Direction | undefined {
  switch (token.type) {
    case 'code':
    case 'def':
      return undefined;
    case 'link':
    case 'image':
      return token.isAddress === true || token.text === token.href
        ? undefined
        : directionOfText(token.text);
    case 'codespan':
    case 'escape':
      return directionOfText(token.text);
    case 'text':
      return token.tokens === undefined ? directionOfText(token.text) : directionOf(token.tokens);
    case 'blockquote':
    case 'br':
    case 'checkbox':
    case 'del':
    case 'em':
    case 'heading':
    case 'hr':
    case 'html':
    case 'list':
    case 'list_item':
    case 'paragraph':
    case 'spoiler':
    case 'strong':
    case 'table':
      return directionOf(tokensIn(token));
  }
}

/** The direction of a text without marks: that of its first letter. */
export function directionOfText(text: string): Direction | undefined {
  const [first] = STRONG.exec(text) ?? [];
  if (first === undefined) return undefined;
  return RIGHT_TO_LEFT.test(first) ? 'rtl' : 'ltr';
}
