import { Tokenizer } from 'htmlparser2';
import { previewText } from './preview-text.ts';

/** What a page says of itself. */
export interface PageFacts {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly siteName: string | undefined;
  /** The addresses of its pictures, the one that it prefers first. */
  readonly pictures: readonly string[];
}

/** Longer texts are cut, in characters. */
export const MOST_PREVIEW_TITLE = 200;
export const MOST_PREVIEW_DESCRIPTION = 500;
export const MOST_SITE_NAME = 100;

/** How many pictures of a page are known, of which one is shown. */
const MOST_PICTURES = 3;

/** Longer values of attributes are no text or address that is shown, in UTF-16 units. */
const MOST_VALUE = 8_192;

/** A page that has more tags is not read to its end. */
const MOST_TAGS = 50_000;

/** Where a page says what, the preferred place first. */
const PLACES = {
  title: ['og:title', 'twitter:title', '<title>'],
  description: ['og:description', 'twitter:description', 'description'],
  siteName: ['og:site_name', 'application-name'],
  picture: [
    'og:image:secure_url',
    'og:image',
    'og:image:url',
    'twitter:image',
    'twitter:image:src',
  ],
} as const;

const WANTED: ReadonlySet<string> = new Set(Object.values(PLACES).flat());

/** Reads what a page says of itself. Its tags are read one by one, without their structure, so the time is that of its length. */
export function readPage(html: string, url: URL): PageFacts {
  const reader = new TagReader(html);
  const tokenizer: Tokenizer = new Tokenizer({ decodeEntities: true }, reader);
  reader.onEnough = () => tokenizer.pause();
  tokenizer.write(html);
  const { found } = reader;
  const first = (names: readonly string[], most: number) =>
    names.map((name) => previewText(found.get(name), most)).find((text) => text !== undefined);
  const base = URL.parse(reader.base ?? '', url) ?? url;
  const pictures = PLACES.picture.flatMap((name) => addressIn(found.get(name), base));
  return {
    title: first(PLACES.title, MOST_PREVIEW_TITLE),
    description: first(PLACES.description, MOST_PREVIEW_DESCRIPTION),
    siteName: first(PLACES.siteName, MOST_SITE_NAME),
    pictures: [...new Set(pictures)].slice(0, MOST_PICTURES),
  };
}

function addressIn(text: string | undefined, base: URL): readonly string[] {
  if (text === undefined || text.trim() === '') return [];
  const url = URL.parse(text.trim(), base);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return url !== null && isWeb ? [url.href] : [];
}

/** Collects the values of the tags that matter, as the tokenizer finds them. */
class TagReader {
  readonly found = new Map<string, string>();
  base: string | undefined;
  onEnough = (): void => {};
  readonly #html: string;
  #tag = '';
  #tags = 0;
  #attribute = '';
  #value = '';
  #attributes = new Map<string, string>();
  #title: string | undefined;

  constructor(html: string) {
    this.#html = html;
  }

  onopentagname(start: number, end: number): void {
    this.#endTitle();
    this.#tags += 1;
    if (this.#tags > MOST_TAGS) this.onEnough();
    this.#tag = end - start > 8 ? '' : this.#html.slice(start, end).toLowerCase();
    this.#attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.#attribute = end - start > 8 ? '' : this.#html.slice(start, end).toLowerCase();
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
    const attributes = this.#attributes;
    if (this.#tag === 'title' && !this.found.has('<title>')) this.#title = '';
    if (this.#tag === 'base') this.base ??= attributes.get('href');
    if (this.#tag !== 'meta') return;
    const value = attributes.get('content');
    for (const attribute of ['property', 'name']) {
      const name = attributes.get(attribute)?.trim().toLowerCase() ?? '';
      const isNew = WANTED.has(name) && (this.found.get(name) ?? '') === '';
      if (value !== undefined && isNew) this.found.set(name, value);
    }
  }

  onselfclosingtag(): void {
    this.onopentagend();
    this.#title = undefined;
  }

  ontext(start: number, end: number): void {
    if (this.#title === undefined || this.#title.length >= MOST_VALUE) return;
    this.#title += this.#html.slice(start, Math.min(end, start + MOST_VALUE));
  }

  ontextentity(codePoint: number): void {
    if (this.#title !== undefined) this.#title += String.fromCodePoint(codePoint);
  }

  onclosetag(): void {
    this.#endTitle();
  }

  onend(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  #isWanted(): boolean {
    return this.#attribute !== '' && (this.#tag === 'meta' || this.#tag === 'base');
  }

  #endTitle(): void {
    if (this.#title !== undefined && this.#title.trim() !== '') {
      this.found.set('<title>', this.#title);
    }
    this.#title = undefined;
  }
}
