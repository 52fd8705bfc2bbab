import { hrefOf } from './definitions.ts';
import type { Steps } from './steps.ts';

/** Parentheses in an address are nested less deeply, so that few addresses are looked at in one place. */
const MOST_NESTED = 32;
const SPACE = /\s/;

/** The address of a link, and where what names it ends. */
export interface LinkTarget {
  readonly href: string;
  readonly end: number;
}

/** Reads `(address "title")` after the text of a link. */
export class LinkTargets {
  readonly #text: string;
  readonly #steps: Steps;
  /** The places after which no title ends, by the character that would end it. */
  readonly #noneAfter = new Map<string, number>();

  constructor(text: string, steps: Steps) {
    this.#text = text;
    this.#steps = steps;
  }

  /** The target in the parentheses that begin at `start`. */
  at(start: number): LinkTarget | undefined {
    if (this.#text[start] !== '(') return undefined;
    const from = this.#afterSpace(start + 1);
    const to = this.#text[from] === '<' ? this.#endOfBracketed(from) : this.#endOfBare(from);
    if (to === undefined) return undefined;
    let end = this.#afterSpace(to);
    if (end > to && this.#text[end] !== ')') {
      const title = this.#endOfTitle(end);
      if (title === undefined) return undefined;
      end = this.#afterSpace(title);
    }
    if (this.#text[end] !== ')') return undefined;
    this.#steps.take(to - from);
    return { href: hrefOf(this.#text.slice(from, to)), end: end + 1 };
  }

  #afterSpace(start: number): number {
    let at = start;
    while (SPACE.test(this.#text[at] ?? '')) at += 1;
    this.#steps.take(1 + at - start);
    return at;
  }

  #endOfBracketed(start: number): number | undefined {
    let at = start + 1;
    while (at < this.#text.length && !/[<>\n]/.test(this.#text[at] ?? '')) {
      if (this.#text.startsWith('||', at)) break;
      at += this.#text[at] === '\\' ? 2 : 1;
    }
    this.#steps.take(1 + at - start);
    return this.#text[at] === '>' ? at + 1 : undefined;
  }

  #endOfBare(start: number): number | undefined {
    let at = start;
    for (let depth = 0; at < this.#text.length; at += 1) {
      this.#steps.take(1);
      const character = this.#text[at] ?? '';
      // What bars cover is no part of an address.
      if (SPACE.test(character) || this.#text.startsWith('||', at)) break;
      if (character === '\\') at += 1;
      else if (character === '(') depth += 1;
      else if (character === ')') {
        if (depth === 0) break;
        depth -= 1;
      }
      if (depth > MOST_NESTED) return undefined;
    }
    return Math.min(at, this.#text.length);
  }

  #endOfTitle(start: number): number | undefined {
    const begin = this.#text[start] ?? '';
    if (!/["'(]/.test(begin)) return undefined;
    const last = begin === '(' ? ')' : begin;
    if (start >= (this.#noneAfter.get(last) ?? Infinity)) return undefined;
    let at = start + 1;
    while (at < this.#text.length && this.#text[at] !== last) {
      if (begin === '(' && this.#text[at] === '(') break;
      at += this.#text[at] === '\\' ? 2 : 1;
    }
    this.#steps.take(1 + 2 * (at - start));
    if (at >= this.#text.length) this.#noneAfter.set(last, start);
    const isTitle = this.#text[at] === last && !this.#text.slice(start, at).includes('||');
    return isTitle ? at + 1 : undefined;
  }
}

/** The end of the label that begins at `start`: the next bracket. */
export function endOfLabel(text: string, start: number, steps: Steps): number | undefined {
  let at = start + 1;
  while (at < text.length && !/[[\]]/.test(text[at] ?? '')) at += text[at] === '\\' ? 2 : 1;
  steps.take(2 * (at - start));
  // What bars cover is no part of a label.
  return text[at] === ']' && !text.slice(start, at).includes('||') ? at : undefined;
}
