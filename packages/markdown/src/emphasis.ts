import type { Steps } from './steps.ts';

/** A run of marks of one kind, which may begin emphasis, end it, or both. */
export interface Run {
  readonly kind: 'run';
  readonly start: number;
  readonly mark: string;
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** The number of marks of each emphasis that ends here, the innermost first. */
  readonly ends: number[];
  /** The number of marks of each emphasis that begins here, the innermost first. */
  readonly begins: number[];
  left: number;
  before: Run | undefined;
  after: Run | undefined;
}

/** A wide character of Chinese, Japanese or Korean, or one of Hangul. */
const CJK =
  /^(?!\p{Emoji_Presentation})[\u1100-\u11FF\u20A9\u2329\u232A\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7FB\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6B\uFF01-\uFFEE\u{16FE0}-\u{18DFF}\u{1AFF0}-\u{1B2FF}\u{1F200}-\u{1F2FF}\u{20000}-\u{3FFFD}]/u;
/** A quotation mark whose variation selector makes it wide. */
const WIDE_QUOTE = /^[\u2018\u2019\u201C\u201D]\uFE01/u;
/** A selector of a variant of the character before it. */
const SELECTOR = /^[\uFE00-\uFE0E\u{E0100}-\u{E01EF}]/u;
/** A letter or digit of a script that separates words by spaces, and puts nothing after them that belongs to them. */
const IN_WORD = /^(?![\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{N}]/u;
const SPACE = /^\s?$/u;
const PUNCTUATION = /^[\p{P}\p{S}]/u;

/**
 * The run of marks at `start`, by the rules of CommonMark with its amendments for Chinese, Japanese and Korean
 * (markdown-cjk-friendly), whose punctuation stands in words as letters do. What people write in a chat stays as it is: 2*3*4
 * and snake*case*names.
 */
export function runAt(text: string, start: number): Run {
  const mark = text[start] ?? '';
  let end = start + 1;
  while (text[end] === mark) end += 1;
  const before = characterBefore(text, start);
  const after = characterAt(text, end);
  const isPunctuationBefore = PUNCTUATION.test(before);
  const isPunctuationAfter = PUNCTUATION.test(after);
  const isCjkBefore = CJK.test(before) || WIDE_QUOTE.test(before);
  const isCjkAfter = CJK.test(after);
  const isLeft =
    !SPACE.test(after) &&
    (!isPunctuationAfter || isCjkAfter || SPACE.test(before) || isPunctuationBefore || isCjkBefore);
  const isRight =
    !SPACE.test(before) &&
    (!isPunctuationBefore || isCjkBefore || SPACE.test(after) || isPunctuationAfter || isCjkAfter);
  const isUsed = mark !== '~' || end - start === 2;
  const canOpen = isLeft && (mark !== '_' || !isRight || isPunctuationBefore);
  const canClose = isRight && (mark !== '_' || !isLeft || isPunctuationAfter);
  const mayOpen = mark === '~' || isCjkBefore || !IN_WORD.test(before);
  const mayClose = mark === '~' || isCjkAfter || !IN_WORD.test(after);
  return {
    kind: 'run',
    start,
    mark,
    length: end - start,
    canOpen: isUsed && canOpen && mayOpen,
    canClose: isUsed && canClose && mayClose,
    ends: [],
    begins: [],
    left: end - start,
    before: undefined,
    after: undefined,
  };
}

/** The runs of a text that have not been paired, in their order. */
export class Runs {
  readonly #steps: Steps;
  #last: Run | undefined;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  get last(): Run | undefined {
    return this.#last;
  }

  add(run: Run): void {
    run.before = this.#last;
    if (this.#last !== undefined) this.#last.after = run;
    this.#last = run;
  }

  /**
   * Pairs the runs after `bottom`, and forgets them. Takes linear time: for each kind of run that found no beginning, it
   * remembers where none is.
   */
  pair(bottom: Run | undefined): void {
    const noneBefore = new Map<string, number>();
    let closer = bottom === undefined ? this.#first() : bottom.after;
    while (closer !== undefined) {
      this.#steps.take(1);
      if (!closer.canClose) {
        closer = closer.after;
        continue;
      }
      const kind = `${closer.mark}${closer.canOpen}${closer.length % 3}`;
      const opener = this.#openerOf(closer, noneBefore.get(kind) ?? bottom?.start ?? -1);
      if (opener === undefined) {
        noneBefore.set(kind, closer.before?.start ?? -1);
        const { after } = closer;
        if (!closer.canOpen) this.#remove(closer);
        closer = after;
        continue;
      }
      join(opener, closer);
      opener.after = closer;
      closer.before = opener;
      if (opener.left === 0) this.#remove(opener);
      if (closer.left > 0) continue;
      const { after } = closer;
      this.#remove(closer);
      closer = after;
    }
    this.#last = bottom;
    if (bottom !== undefined) bottom.after = undefined;
  }

  #first(): Run | undefined {
    let first = this.#last;
    while (first?.before !== undefined) {
      this.#steps.take(1);
      first = first.before;
    }
    return first;
  }

  #openerOf(closer: Run, bottom: number): Run | undefined {
    let opener = closer.before;
    while (opener !== undefined && opener.start > bottom) {
      this.#steps.take(1);
      if (opener.mark === closer.mark && opener.canOpen && fit(opener, closer)) return opener;
      opener = opener.before;
    }
    return undefined;
  }

  #remove({ before, after }: Run): void {
    if (before !== undefined) before.after = after;
    if (after !== undefined) after.before = before;
    else this.#last = before;
  }
}

function fit(opener: Run, closer: Run): boolean {
  if (opener.mark === '~') return true;
  const isBoth = closer.canOpen || opener.canClose;
  return !isBoth || closer.length % 3 === 0 || (opener.length + closer.length) % 3 !== 0;
}

function join(opener: Run, closer: Run): void {
  const marks = opener.left >= 2 && closer.left >= 2 ? 2 : 1;
  opener.begins.push(marks);
  closer.ends.push(marks);
  opener.left -= marks;
  closer.left -= marks;
}

function characterAt(text: string, at: number): string {
  const point = text.codePointAt(at);
  return point === undefined ? '' : String.fromCodePoint(point);
}

/** The character before a place, with the selector of its variant if it has one. */
function characterBefore(text: string, at: number): string {
  const last = pointBefore(text, at);
  if (!SELECTOR.test(last)) return last;
  const own = pointBefore(text, at - last.length);
  return own === '' ? last : own + last;
}

function pointBefore(text: string, at: number): string {
  const isPair = /[\uDC00-\uDFFF]/.test(text[at - 1] ?? '') && at > 1;
  const pair = isPair ? characterAt(text, at - 2) : '';
  return pair.length === 2 ? pair : (text[at - 1] ?? '');
}
