import { parseMarkdown, type MessageText } from './parse-markdown.ts';

/** Parsed texts, the least recently used forgotten first. */
export class MarkdownCache {
  readonly #parsed = new Map<string, MessageText>();
  readonly #mostCharacters: number;
  #characters = 0;

  /** @param mostCharacters of the texts, as they were written; the newest is kept, however long it is */
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
