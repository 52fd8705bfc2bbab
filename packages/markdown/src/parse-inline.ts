import { addressIn, mailAddressAt, webAddressAt, wwwAddressAt, type Address } from './addresses.ts';
import { buildTokens, type Bracket, type Part } from './build-tokens.ts';
import { CodeEnds } from './code-ends.ts';
import type { Definitions } from './definitions.ts';
import { runAt, Runs } from './emphasis.ts';
import { endOfTag } from './html-tag.ts';
import { endOfLabel, LinkTargets } from './link-target.ts';
import { endOfName } from './name.ts';
import { endOfSpoiler, isLeftOpen, writtenTokens } from './spoilers.ts';
import type { Steps } from './steps.ts';
import type { LinkToken, MessageToken } from './tokens.ts';

/** The characters that may begin something. */
const MARK = /[\n\\`*_~[\]!<|@#]|:\/\/|www\./gi;
const ESCAPED = /[!-/:-@[-`{-~]/;
/** Labels are shorter in CommonMark, too. */
const LONGEST_LABEL = 999;

/** The state that the texts of a document share. */
export interface InlineContext {
  readonly definitions: Definitions;
  readonly steps: Steps;
  /** True if the text goes on, so that a spoiler without an end covers the rest of it. */
  readonly isBeginning: boolean;
  /** True in a table, where bars in code need a backslash. */
  readonly isInCell?: boolean;
}

/**
 * Parses the text of one block, from its beginning to its end: no part of it is looked at more often than a fixed number of
 * times, and each look is counted.
 */
export function parseInline(text: string, context: InlineContext): readonly MessageToken[] {
  return text === '' ? [] : new InlineParser(text, context).parse();
}

class InlineParser {
  readonly #text: string;
  readonly #context: InlineContext;
  readonly #steps: Steps;
  readonly #parts: Part[] = [];
  readonly #runs: Runs;
  readonly #targets: LinkTargets;
  readonly #brackets: Bracket[] = [];
  /** Brackets below this one are around a link, so that they begin none. */
  #inactive = 0;
  #at = 0;
  /** The beginning of the text that is not a part yet. */
  #from = 0;
  readonly #codeEnds: CodeEnds;
  #hasCode = false;
  /** Before this place no comment begins. */
  #commentsFrom = 0;
  #hasUnderscore = false;

  constructor(text: string, context: InlineContext) {
    this.#text = text;
    this.#context = context;
    this.#steps = context.steps;
    this.#runs = new Runs(context.steps);
    this.#targets = new LinkTargets(text, context.steps);
    this.#codeEnds = new CodeEnds(text);
  }

  parse(): readonly MessageToken[] {
    this.#steps.take(1 + this.#text.length);
    for (let found = this.#nextMark(); found !== null; found = this.#nextMark()) {
      this.#steps.take(1);
      this.#at = found.index;
      this.#take(found[0]);
    }
    this.#endText(this.#text.length);
    this.#runs.pair(undefined);
    return buildTokens(this.#text, this.#parts, this.#steps);
  }

  #nextMark(): RegExpExecArray | null {
    MARK.lastIndex = this.#at;
    return MARK.exec(this.#text);
  }

  /** Goes on after what begins with a mark, or after the mark. */
  #take(mark: string): void {
    switch (mark) {
      case '\n':
        return this.#takeBreak(this.#at, 1);
      case '\\':
        return this.#takeEscape();
      case '`':
        return this.#takeCode();
      case '*':
      case '_':
      case '~':
        return this.#takeRun();
      case '[':
        return this.#beginLink(1);
      case '!':
        return this.#text[this.#at + 1] === '[' ? this.#beginLink(2) : this.#skip(1);
      case ']':
        return this.#endLink();
      case '<':
        return this.#takeAngle();
      case '|':
        return this.#takeSpoiler();
      case '#':
        return this.#takeName();
      default:
        return this.#takeAddress(mark);
    }
  }

  #skip(length: number): void {
    this.#at += length;
  }

  #endText(end: number): void {
    if (end > this.#from) this.#parts.push({ kind: 'text', start: this.#from, end });
  }

  #add(part: Part, start: number, end: number): void {
    this.#endText(start);
    this.#parts.push(part);
    this.#from = end;
    this.#at = end;
  }

  #addToken(token: MessageToken, start = this.#at): void {
    this.#add({ kind: 'token', token }, start, start + token.raw.length);
  }

  #takeBreak(at: number, length: number): void {
    let start = at;
    while (start > this.#from && /[ \t]/.test(this.#text[start - 1] ?? '')) start -= 1;
    let end = at + length;
    while (/[ \t]/.test(this.#text[end] ?? '')) end += 1;
    this.#steps.take(end - start);
    this.#addToken({ type: 'br', raw: this.#text.slice(start, end) }, start);
  }

  #takeEscape(): void {
    const next = this.#text[this.#at + 1] ?? '';
    if (next === '\n') return this.#takeBreak(this.#at, 2);
    if (!ESCAPED.test(next)) return this.#skip(1);
    return this.#addToken({ type: 'escape', raw: `\\${next}`, text: next });
  }

  #takeCode(): void {
    const start = this.#at;
    const length = this.#runOfTicks(start);
    if (!this.#hasCode) this.#steps.take(3 * this.#text.length);
    this.#hasCode = true;
    const end = this.#codeEnds.after(start, length);
    if (end === undefined) return this.#skip(length);
    const raw = this.#text.slice(start, end + length);
    this.#steps.take(raw.length);
    const written = raw.slice(length, -length).replaceAll('\n', ' ');
    const code = this.#context.isInCell ? written.replaceAll(String.raw`\|`, '|') : written;
    const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
    return this.#addToken({ type: 'codespan', raw, text: isPadded ? code.slice(1, -1) : code });
  }

  #runOfTicks(start: number): number {
    let end = start;
    while (this.#text[end] === '`') end += 1;
    this.#steps.take(1 + end - start);
    return end - start;
  }

  #takeRun(): void {
    const run = runAt(this.#text, this.#at);
    this.#steps.take(run.length);
    if (!run.canOpen && !run.canClose) return this.#skip(run.length);
    if (run.mark === '_') this.#hasUnderscore = true;
    this.#runs.add(run);
    return this.#add(run, run.start, run.start + run.length);
  }

  #beginLink(length: number): void {
    const outer = this.#brackets.at(-1);
    if (outer !== undefined) outer.hasInner = true;
    const start = this.#at;
    const end = start + length;
    const below = this.#runs.last;
    const bracket: Bracket = { kind: 'bracket', start, end, isImage: length === 2, below };
    this.#brackets.push(bracket);
    this.#add(bracket, start, end);
  }

  #endLink(): void {
    const bracket = this.#brackets.pop();
    const isActive = bracket?.isImage === true || this.#brackets.length >= this.#inactive;
    this.#inactive = Math.min(this.#inactive, this.#brackets.length);
    const target = bracket && isActive ? this.#targetOf(bracket) : undefined;
    if (bracket === undefined || target === undefined) return this.#skip(1);
    const { href, end } = target;
    this.#runs.pair(bracket.below);
    bracket.link = { href, end };
    if (!bracket.isImage) this.#inactive = this.#brackets.length;
    return this.#add({ kind: 'end', start: this.#at, end }, this.#at, end);
  }

  #targetOf(bracket: Bracket): { readonly href: string; readonly end: number } | undefined {
    const start = this.#at + 1;
    const target = this.#targets.at(start);
    if (target !== undefined || this.#context.definitions.isEmpty) return target;
    const close =
      this.#text[start] === '[' ? endOfLabel(this.#text, start, this.#steps) : undefined;
    const hasLabel = close !== undefined && close > start + 1;
    if (!hasLabel && bracket.hasInner === true) return undefined;
    const label = hasLabel
      ? this.#text.slice(start + 1, close)
      : this.#text.slice(bracket.end, this.#at);
    if (label.length > LONGEST_LABEL) return undefined;
    this.#steps.take(label.length);
    const href = this.#context.definitions.take(label);
    return href === undefined ? undefined : { href, end: close === undefined ? start : close + 1 };
  }

  #takeAngle(): void {
    const start = this.#at;
    let end = start + 1;
    while (end < this.#text.length && !/[\s<>]/.test(this.#text[end] ?? '')) end += 1;
    this.#steps.take(1 + end - start);
    const inner = this.#text[end] === '>' ? this.#text.slice(start + 1, end) : '';
    // What bars cover is no part of an address or a tag.
    const href = inner.includes('||') ? undefined : addressIn(inner);
    if (href !== undefined) {
      this.#steps.take(2 * inner.length);
      return this.#addLink({ start, end: end + 1, href }, inner);
    }
    const tag = this.#endOfComment(start) ?? endOfTag(this.#text, start, this.#steps);
    if (tag === undefined) return this.#skip(1);
    const raw = this.#text.slice(start, tag);
    this.#steps.take(raw.length);
    if (raw.includes('||')) return this.#skip(1);
    return this.#addToken({ type: 'html', raw, block: false, tokens: writtenTokens(raw) });
  }

  #endOfComment(start: number): number | undefined {
    if (start < this.#commentsFrom || !this.#text.startsWith('<!--', start)) return undefined;
    const found = this.#text.indexOf('-->', start + 2);
    const end = found === -1 ? this.#text.length : found + 3;
    this.#steps.take(3 * (end - start));
    // What bars cover is no part of a comment, and of none that begins before them and ends there.
    const bars = this.#text.slice(start, end).lastIndexOf('||');
    if (found !== -1 && bars === -1) return end;
    this.#commentsFrom = found === -1 ? end : start + bars;
    return undefined;
  }

  #addLink({ start, end, href }: Address, text: string): void {
    const raw = this.#text.slice(start, end);
    const shown = { type: 'text', raw: text, text } as const;
    const tokens = [shown];
    const token: LinkToken = { type: 'link', raw, href, text, isAddress: true, tokens };
    this.#add({ kind: 'address', token }, start, end);
  }

  #takeSpoiler(): void {
    const start = this.#at;
    const isOpen = this.#context.isBeginning && isLeftOpen(this.#text, start);
    const end = isOpen ? this.#text.length : endOfSpoiler(this.#text, start);
    if (end === undefined) {
      // It looked as far as the next bars.
      if (this.#text[start + 1] === '|') this.#steps.take(this.#lengthToBars(start + 2));
      return this.#skip(1);
    }
    const raw = this.#text.slice(start, end);
    this.#steps.take(raw.length);
    const tokens = parseInline(raw.slice(2, isOpen ? undefined : -2), this.#context);
    return this.#addToken({ type: 'spoiler', raw, tokens, ...(isOpen && { isOpen }) });
  }

  #lengthToBars(start: number): number {
    const bars = this.#text.indexOf('||', start);
    return (bars === -1 ? this.#text.length : bars) - start;
  }

  #takeAddress(mark: string): void {
    const isInBrackets = this.#brackets.length > 0;
    const place = { at: this.#at, from: this.#from, isInBrackets };
    const address =
      mark === '@'
        ? mailAddressAt(this.#text, place, this.#steps)
        : mark === '://'
          ? webAddressAt(this.#text, place, this.#steps)
          : wwwAddressAt(this.#text, place, this.#steps);
    if (address === undefined) return mark === '@' ? this.#takeName() : this.#skip(mark.length);
    return this.#addLink(address, this.#text.slice(address.start, address.end));
  }

  /** Goes on after a sign and the name after it, if that has underscores: they are no marks there. */
  #takeName(): void {
    const end = endOfName(this.#text, this.#at, this.#hasUnderscore);
    this.#steps.take(2 * (end - this.#at));
    // Another address may begin in what only looks like a name.
    const hasMarks = this.#text.slice(this.#at, end).includes('_');
    return this.#skip(hasMarks ? end - this.#at : 1);
  }
}
