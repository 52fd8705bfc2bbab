import type { Run } from './emphasis.ts';
import { withoutSpoilers } from './spoilers.ts';
import type { Steps } from './steps.ts';
import { DEEPEST, type LinkToken, type MessageToken } from './tokens.ts';

/** A character by its number. */
const REFERENCE = /&#(?:(\d{1,7})|x([\da-f]{1,6}));/gi;
const LAST_POINT = 0x10ffff;

/** A bracket that may begin a link, and the link if it does. */
export interface Bracket {
  readonly kind: 'bracket';
  readonly start: number;
  readonly end: number;
  readonly isImage: boolean;
  /** The last run before it. */
  readonly below: Run | undefined;
  hasInner?: boolean;
  link?: { readonly href: string; readonly end: number };
}

/** A part of a text: what it begins or ends is known, and what it holds follows it. */
export type Part =
  | Bracket
  | Run
  | { readonly kind: 'text' | 'end'; readonly start: number; readonly end: number }
  | { readonly kind: 'token'; readonly token: MessageToken }
  | { readonly kind: 'address'; readonly token: LinkToken };

interface Frame {
  readonly tokens: MessageToken[];
  readonly start: number;
  /** True if it is nested too deeply: then its tokens are those of the frame around it. */
  readonly isFlat?: boolean;
  readonly bracket?: Bracket;
}

/** The tokens of a text, from its parts. */
export function buildTokens(
  text: string,
  parts: readonly Part[],
  steps: Steps,
): readonly MessageToken[] {
  const builder = new TokenBuilder(text, steps);
  for (const part of parts) builder.add(part);
  return builder.tokens();
}

class TokenBuilder {
  readonly #source: string;
  readonly #steps: Steps;
  readonly #frames: Frame[] = [{ tokens: [], start: 0 }];
  #links = 0;
  #images = 0;
  /** Text that is no token yet. */
  #from = 0;
  #to = 0;

  constructor(source: string, steps: Steps) {
    this.#source = source;
    this.#steps = steps;
  }

  tokens(): readonly MessageToken[] {
    this.#endText();
    return this.#frames[0]?.tokens ?? [];
  }

  add(part: Part): void {
    this.#steps.take(1);
    switch (part.kind) {
      case 'text':
        return this.#addText(part.start, part.end);
      case 'token':
        return this.#push(part.token);
      case 'address':
        // A link is in no other.
        return this.#push(this.#links > 0 ? textToken(part.token.raw) : part.token);
      case 'run':
        return this.#addRun(part);
      case 'bracket':
        return part.link === undefined ? this.#addText(part.start, part.end) : this.#begin(part);
      case 'end':
        return this.#endLink(part.start);
      default:
        return part satisfies never;
    }
  }

  #addText(start: number, end: number): void {
    if (start !== this.#to) {
      this.#endText();
      this.#from = start;
    }
    this.#to = end;
  }

  #endText(): void {
    const text = this.#source.slice(this.#from, this.#to);
    if (text !== '') this.#frames.at(-1)?.tokens.push(textToken(text));
    this.#from = this.#to;
  }

  #push(token: MessageToken): void {
    this.#endText();
    this.#frames.at(-1)?.tokens.push(token);
  }

  #addRun({ start, mark, ends, begins, left }: Run): void {
    let at = start;
    for (const marks of ends) {
      this.#steps.take(1);
      at += marks;
      this.#endEmphasis(mark, marks, at);
    }
    if (left > 0) this.#addText(at, at + left);
    at += left;
    for (const marks of begins.toReversed()) {
      this.#steps.take(1);
      this.#open(at, at + marks);
      at += marks;
    }
  }

  /** Begins what `start` to `end` are the marks of. */
  #open(start: number, end: number, bracket?: Bracket): void {
    const around = this.#frames.at(-1);
    const of = bracket === undefined ? {} : { bracket };
    if (around !== undefined && this.#frames.length > DEEPEST) {
      this.#addText(start, end);
      this.#frames.push({ tokens: around.tokens, start, isFlat: true, ...of });
    } else {
      this.#endText();
      this.#frames.push({ tokens: [], start, ...of });
    }
  }

  #endEmphasis(mark: string, marks: number, end: number): void {
    if (this.#frames.at(-1)?.isFlat === true) {
      this.#frames.pop();
      return this.#addText(end - marks, end);
    }
    const { start, tokens } = this.#close();
    const type = mark === '~' ? 'del' : marks === 2 ? 'strong' : 'em';
    this.#push({ type, raw: this.#source.slice(start, end), tokens });
  }

  #close(): Frame {
    this.#endText();
    // Guarantee: the runs and brackets of a text pair.
    return this.#frames.pop() ?? { tokens: [], start: 0 };
  }

  #begin(bracket: Bracket): void {
    this.#open(bracket.start, bracket.end, bracket);
    if (bracket.isImage) this.#images += 1;
    else this.#links += 1;
  }

  #endLink(textEnd: number): void {
    const { bracket, tokens, isFlat } = this.#close();
    if (bracket?.link === undefined) return;
    const { isImage, start, end, link } = bracket;
    if (isImage) this.#images -= 1;
    else this.#links -= 1;
    const raw = this.#source.slice(start, link.end);
    // What is in an image is not shown.
    const isShown = this.#images === 0;
    if (isFlat === true) {
      this.#steps.take(link.end - textEnd);
      this.#push(textToken(withoutSpoilers(this.#source.slice(textEnd, link.end))));
      this.#from = link.end;
      this.#to = link.end;
      return;
    }
    if (isShown) this.#steps.take(raw.length);
    const text = isShown ? withoutSpoilers(this.#source.slice(end, textEnd)) : '';
    this.#push({ type: isImage ? 'image' : 'link', raw, href: link.href, text, tokens });
  }
}

function textToken(raw: string): MessageToken {
  const text = raw.includes('&#') ? raw.replaceAll(REFERENCE, characterOf) : raw;
  return { type: 'text', raw, text };
}

function characterOf(_all: string, decimal: string | undefined, hexadecimal: string): string {
  const point = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
  const isCharacter = point > 0 && point <= LAST_POINT && (point < 0xd800 || point > 0xdfff);
  return isCharacter ? String.fromCodePoint(point) : '\uFFFD';
}
