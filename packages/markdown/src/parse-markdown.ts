import { Lexer, type MarkedOptions, type MarkedToken, type Token } from 'marked';
import { MessageTokenizer, spoilers, type SpoilerToken } from './message-syntax.ts';

/** Parsing can take quadratic time: a text that is longer, or has more marks, is shown as it was written. */
export const MOST_PARSED_CHARACTERS = 4_000;
const MOST_MARKS = 400;
const MARKS = /[*_~[\]<>|]|[-+] |\d[.)] /g;
const FENCES = /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))/gm;

/** For the lexer alone: the build leaves out the library's renderer to HTML. */
const MARKDOWN: MarkedOptions = {
  gfm: true,
  breaks: true,
  tokenizer: new MessageTokenizer(),
  extensions: spoilers,
};

/** A part of a message's text. */
export type MessageToken = MarkedToken | SpoilerToken;

/** A message's text: Markdown in tokens, or plain text as it was written. */
export type MessageText =
  | { readonly kind: 'markdown'; readonly tokens: readonly MessageToken[] }
  | { readonly kind: 'plain'; readonly text: string };

/**
 * Parses a message's text as GitHub's Markdown in which every line break counts, with ||spoilers|| and no emphasis inside
 * words. Takes bounded time.
 */
export function parseMarkdown(content: string): MessageText {
  const plain = { kind: 'plain', text: content } as const;
  if (content.length > MOST_PARSED_CHARACTERS) return plain;
  const marks = content.replaceAll(FENCES, '').match(MARKS)?.length ?? 0;
  if (marks > MOST_MARKS) return plain;
  try {
    const tokens = piecesOf(Lexer.lex(content, MARKDOWN));
    return tokens.every(({ type }) => type === 'space') ? plain : { kind: 'markdown', tokens };
  } catch {
    // It is nested deeper than the stack.
    return plain;
  }
}

/** The child tokens of a token. */
export function piecesOf(tokens: readonly Token[] | undefined): readonly MessageToken[] {
  // Guarantee: a lexer with this extension alone makes no other tokens.
  return (tokens ?? []) as readonly MessageToken[];
}

/** Parsed texts, the least recently used forgotten first. */
export class MarkdownCache {
  readonly #parsed = new Map<string, MessageText>();
  readonly #mostCharacters: number;
  #characters = 0;

  constructor(mostCharacters = 400_000) {
    this.#mostCharacters = mostCharacters;
  }

  /** The number of texts. */
  get size(): number {
    return this.#parsed.size;
  }

  /** The parsed text of a message. */
  get(content: string): MessageText {
    const known = this.#parsed.get(content);
    if (known !== undefined) {
      this.#parsed.delete(content);
      this.#parsed.set(content, known);
      return known;
    }
    const parsed = parseMarkdown(content);
    this.#parsed.set(content, parsed);
    this.#characters += content.length;
    for (const oldest of this.#parsed.keys()) {
      if (this.#characters <= this.#mostCharacters || oldest === content) break;
      this.#parsed.delete(oldest);
      this.#characters -= oldest.length;
    }
    return parsed;
  }
}
