import type { Steps } from './steps.ts';

const TAB_WIDTH = 4;

/** A line of a text, without what containers have taken of its beginning. */
export class Line {
  readonly #text: string;
  readonly #steps: Steps;
  #at = 0;
  #column = 0;
  /** Columns of a tab that are left after a part of it was taken. */
  #leftOfTab = 0;
  #indent: number | undefined;
  #wordAt = 0;

  constructor(text: string, steps: Steps) {
    this.#text = text;
    this.#steps = steps;
  }

  /** The columns of white space that come next. */
  get indent(): number {
    if (this.#indent !== undefined) return this.#indent;
    let at = this.#at;
    let column = this.#column + this.#leftOfTab;
    for (; at < this.#text.length; at += 1) {
      const character = this.#text[at];
      if (character === '\t') column += TAB_WIDTH - (column % TAB_WIDTH);
      else if (character === ' ') column += 1;
      else break;
    }
    this.#steps.take(1 + at - this.#at);
    this.#wordAt = at;
    this.#indent = column - this.#column;
    return this.#indent;
  }

  /** True if nothing but white space is left. */
  get isBlank(): boolean {
    return this.indent >= 0 && this.#wordAt >= this.#text.length;
  }

  /** The rest after the white space. The caller counts the steps of looking at it. */
  get words(): string {
    return this.indent >= 0 ? this.#text.slice(this.#wordAt) : '';
  }

  /** The character after the white space. */
  get first(): string {
    return this.indent >= 0 ? (this.#text[this.#wordAt] ?? '') : '';
  }

  /** All that is left. */
  get rest(): string {
    return ' '.repeat(this.#leftOfTab) + this.#text.slice(this.#at);
  }

  /** Takes white space, at most `most` columns of it. */
  takeIndent(most: number): void {
    let left = Math.min(most, this.indent);
    this.#steps.take(left);
    while (left > 0) {
      if (this.#leftOfTab === 0) {
        const isTab = this.#text[this.#at] === '\t';
        this.#leftOfTab = isTab ? TAB_WIDTH - (this.#column % TAB_WIDTH) : 1;
        this.#at += 1;
      }
      const taken = Math.min(left, this.#leftOfTab);
      this.#leftOfTab -= taken;
      this.#column += taken;
      left -= taken;
    }
    this.#indent = undefined;
  }

  /** Takes the white space and `length` characters after it, which are no tabs. */
  takeMark(length: number): void {
    this.takeIndent(this.indent);
    this.#at += length;
    this.#column += length;
    this.#indent = undefined;
  }

  /** Takes the mark of a quote, with the space after it. */
  takeQuoteMark(): void {
    this.takeMark(1);
    this.takeIndent(1);
  }
}
