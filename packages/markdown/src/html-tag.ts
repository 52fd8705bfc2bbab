import type { Steps } from './steps.ts';

const NAME_START = /[a-z]/i;
const NAME = /[a-z0-9-]/i;
const ATTRIBUTE_START = /[a-z:_]/i;
const ATTRIBUTE = /[\w.:-]/;
const SPACE = /\s/;
const BARE_VALUE = /[^\s"'=<>`]/;

/**
 * The end of the tag that begins at `start`; undefined if none does. Two tags that begin at different places are never both in
 * quotes of one kind, so that no part of a text is looked at for more than three of them.
 */
export function endOfTag(text: string, start: number, steps: Steps): number | undefined {
  const reader = new Reader(text, start + 1, steps);
  const isEnd = reader.take('/');
  if (!NAME_START.test(reader.next)) return undefined;
  reader.takeAll(NAME);
  let hasSpace = reader.takeAll(SPACE);
  while (!isEnd && hasSpace && ATTRIBUTE_START.test(reader.next)) {
    reader.takeAll(ATTRIBUTE);
    hasSpace = reader.takeAll(SPACE);
    if (!reader.take('=')) continue;
    reader.takeAll(SPACE);
    if (!takeValue(reader)) return undefined;
    hasSpace = reader.takeAll(SPACE);
  }
  if (!isEnd) reader.take('/');
  return reader.take('>') ? reader.at : undefined;
}

function takeValue(reader: Reader): boolean {
  for (const quote of ['"', "'"]) if (reader.take(quote)) return reader.takeThrough(quote);
  return reader.takeAll(BARE_VALUE);
}

class Reader {
  readonly #text: string;
  readonly #steps: Steps;
  at: number;

  constructor(text: string, at: number, steps: Steps) {
    this.#text = text;
    this.at = at;
    this.#steps = steps;
  }

  get next(): string {
    return this.#text[this.at] ?? '';
  }

  take(character: string): boolean {
    this.#steps.take(1);
    if (this.next !== character) return false;
    this.at += 1;
    return true;
  }

  /** Returns whether there was at least one. */
  takeAll(kind: RegExp): boolean {
    const from = this.at;
    while (kind.test(this.next)) this.at += 1;
    this.#steps.take(1 + this.at - from);
    return this.at > from;
  }

  takeThrough(character: string): boolean {
    const found = this.#text.indexOf(character, this.at);
    this.#steps.take((found === -1 ? this.#text.length : found) - this.at);
    this.at = found + 1;
    return found !== -1;
  }
}
