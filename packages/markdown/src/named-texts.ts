import { parseMarkdown } from './parse-markdown.ts';
import { tokensIn, type MessageToken } from './tokens.ts';

/** Matches a sign with a character after it that may begin a name. */
const MAY_NAME = /[@#][^\s@#]/;

/**
 * The parts of a text in Markdown in which `@name` and `#name` name somebody or something: neither code nor addresses, and no sign
 * that is escaped. A text without signs is not parsed.
 */
export function namingTexts(content: string): readonly string[] {
  if (!MAY_NAME.test(content)) return [];
  const texts: string[] = [];
  for (const token of parseMarkdown(content).tokens) collect(token, texts);
  return texts;
}

function collect(token: MessageToken, texts: string[]): void {
  if ('isAddress' in token && token.isAddress === true) return;
  if (token.type === 'text' && token.tokens === undefined) texts.push(token.text);
  for (const each of tokensIn(token)) collect(each, texts);
}
