import { LRUCache } from 'lru-cache';
import { excerptOf } from '@hearth/markdown';
import { letOthersRun } from '../../../lib/let-others-run.ts';
import { markdownHtml } from './markdown-html.ts';

/** The most bytes of texts and of their rendered forms that are kept. */
const MOST_KEPT_BYTES = 16 * 1024 * 1024;

interface Renderers {
  readonly html: (content: string, most?: number) => string;
  readonly words: (content: string, most: number) => string;
}

const RENDERERS: Renderers = {
  html: markdownHtml,
  words: (content, most) => excerptOf(content, most).text,
};

/**
 * Rendered texts, by what they say: a page that changes, for example with a vote, renders no unchanged text again. Other work
 * runs after each text that is rendered, so that a page of many texts holds up nobody.
 */
export class RenderedTexts {
  readonly #renderers: Renderers;
  readonly #kept: LRUCache<string, string>;

  constructor(renderers = RENDERERS, mostBytes = MOST_KEPT_BYTES) {
    this.#renderers = renderers;
    this.#kept = new LRUCache({
      maxSize: mostBytes,
      sizeCalculation: (rendered, name) => 2 * (name.length + rendered.length),
    });
  }

  /** A text as HTML, or the beginning of it, of at most `most` characters. */
  html(content: string, most?: number): Promise<string> {
    const { html } = this.#renderers;
    return this.#rendered(`html ${most ?? ''} ${content}`, content, () => html(content, most));
  }

  /** The beginning of a text as words without marks, of at most `most` characters. */
  words(content: string, most: number): Promise<string> {
    const { words } = this.#renderers;
    return this.#rendered(`words ${most} ${content}`, content, () => words(content, most));
  }

  async #rendered(name: string, content: string, render: () => string): Promise<string> {
    if (content === '') return '';
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    const rendered = render();
    this.#kept.set(name, rendered);
    await letOthersRun();
    return rendered;
  }
}
