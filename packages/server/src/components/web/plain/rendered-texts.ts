import { LRUCache } from 'lru-cache';
import { letOthersRun } from '../../../lib/let-others-run.ts';
import { markdownHtml } from './markdown-html.ts';
import { markdownText } from './markdown-text.ts';

/** The most bytes of texts and of their rendered forms that are kept. */
const MOST_KEPT_BYTES = 16 * 1024 * 1024;

/** The renderers of Markdown. */
interface Renderers {
  readonly html: (content: string) => string;
  readonly words: (content: string) => string;
}

/**
 * Rendered texts, by what they say: a page that changes, for example with a vote, renders no unchanged text again. Other work
 * runs after each text that is rendered, so that a page of many texts holds up nobody.
 */
export class RenderedTexts {
  readonly #renderers: Renderers;
  readonly #kept: LRUCache<string, string>;

  constructor(
    renderers: Renderers = { html: markdownHtml, words: markdownText },
    mostBytes = MOST_KEPT_BYTES,
  ) {
    this.#renderers = renderers;
    this.#kept = new LRUCache({
      maxSize: mostBytes,
      sizeCalculation: (rendered, name) => 2 * (name.length + rendered.length),
    });
  }

  /** A text as HTML. */
  html(content: string): Promise<string> {
    return this.#rendered('html', content);
  }

  /** A text as words without marks. */
  words(content: string): Promise<string> {
    return this.#rendered('words', content);
  }

  async #rendered(form: keyof Renderers, content: string): Promise<string> {
    if (content === '') return '';
    const name = `${form} ${content}`;
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    const rendered = this.#renderers[form](content);
    this.#kept.set(name, rendered);
    await letOthersRun();
    return rendered;
  }
}
