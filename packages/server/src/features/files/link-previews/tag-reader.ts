import { Tokenizer } from 'htmlparser2';

/** Longer values of attributes are no text or address that is shown, in UTF-16 units. */
const MOST_VALUE = 8_192;

/** A page that has more tags is not read to its end. */
const MOST_TAGS = 50_000;

/** A page whose elements that are apart are nested more deeply is not read to its end, because each end tag looks for its element. */
const MOST_NESTED = 100;

/** The longest name of a tag or an attribute that matters, `http-equiv`. */
const MOST_NAME = 10;

/** A `meta` tag: the first value of each attribute, by its name. */
export type MetaTag = ReadonlyMap<string, string>;

/** The facts that the tags of a page give. */
export interface Tags {
  /** The title of the page; undefined if it has none. */
  readonly title: string | undefined;
  readonly base: string | undefined;
  readonly metas: readonly MetaTag[];
}

/** Elements whose contents are not of the page itself: pictures have titles, too, and templates are not shown. */
const APART: ReadonlySet<string> = new Set(['svg', 'math', 'template']);

/** Tags whose attributes matter. */
const READ: ReadonlySet<string> = new Set(['meta', 'base']);

/**
 * Reads the tags that say something of a page one by one, without its structure, so the time is that of its length. With
 * `isHeadAlone`, what comes after the head is not read.
 */
export function readTags(html: string, { isHeadAlone = false } = {}): Tags {
  const reader = new TagReader(html);
  const tokenizer: Tokenizer = new Tokenizer({ decodeEntities: true }, reader);
  reader.onEnough = () => tokenizer.pause();
  reader.onHeadEnd = isHeadAlone ? reader.onEnough : () => {};
  tokenizer.write(html);
  return reader;
}

/** Collects the values of the tags that matter, as the tokenizer finds them. */
class TagReader implements Tags {
  title: string | undefined;
  base: string | undefined;
  readonly metas: MetaTag[] = [];
  onEnough = (): void => {};
  onHeadEnd = (): void => {};
  readonly #html: string;
  /** The elements around the present place that are apart. */
  readonly #around: string[] = [];
  #isInHead = true;
  #tag = '';
  #tags = 0;
  #attribute = '';
  #value = '';
  #attributes = new Map<string, string>();
  /** The text of the title that is being read. */
  #text: string | undefined;

  constructor(html: string) {
    this.#html = html;
  }

  onopentagname(start: number, end: number): void {
    this.#endTitle();
    this.#tags += 1;
    if (this.#tags > MOST_TAGS) this.onEnough();
    this.#tag = this.#name(start, end);
    this.#attributes = new Map();
    if (this.#tag === 'body') this.#endHead();
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#name(start, end);
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.#isWanted() && this.#value.length < MOST_VALUE) {
      this.#value += this.#html.slice(start, Math.min(end, start + MOST_VALUE));
    }
  }

  onattribentity(codePoint: number): void {
    if (this.#isWanted() && this.#value.length < MOST_VALUE) {
      this.#value += String.fromCodePoint(codePoint);
    }
  }

  onattribend(): void {
    if (this.#isWanted() && !this.#attributes.has(this.#attribute)) {
      this.#attributes.set(this.#attribute, this.#value);
    }
  }

  onopentagend(): void {
    if (APART.has(this.#tag)) this.#around.push(this.#tag);
    if (this.#around.length > MOST_NESTED) this.onEnough();
    if (this.#around.length > 0) return;
    if (this.#tag === 'title' && this.title === undefined && this.#isInHead) this.#text = '';
    if (this.#tag === 'base') this.base ??= this.#attributes.get('href');
    if (this.#tag === 'meta') this.metas.push(this.#attributes);
  }

  onselfclosingtag(): void {
    // Only pictures and formulas can end like this in HTML, and no title does.
    if (this.#tag === 'svg' || this.#tag === 'math') return;
    this.onopentagend();
    this.#text = undefined;
  }

  ontext(start: number, end: number): void {
    if (this.#text === undefined || this.#text.length >= MOST_VALUE) return;
    this.#text += this.#html.slice(start, Math.min(end, start + MOST_VALUE));
  }

  ontextentity(codePoint: number): void {
    if (this.#text !== undefined) this.#text += String.fromCodePoint(codePoint);
  }

  onclosetag(start: number, end: number): void {
    this.#endTitle();
    const name = this.#name(start, end);
    if (name === 'head') this.#endHead();
    const at = APART.has(name) ? this.#around.lastIndexOf(name) : -1;
    if (at !== -1) this.#around.length = at;
  }

  onend(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  #name(start: number, end: number): string {
    return end - start > MOST_NAME ? '' : this.#html.slice(start, end).toLowerCase();
  }

  #isWanted(): boolean {
    return this.#attribute !== '' && READ.has(this.#tag);
  }

  #endHead(): void {
    if (this.#around.length > 0) return;
    this.#isInHead = false;
    this.onHeadEnd();
  }

  #endTitle(): void {
    if (this.#text !== undefined && this.#text.trim() !== '') this.title = this.#text;
    this.#text = undefined;
  }
}
