import { UNSAFE_CHARACTERS } from '@hearth/protocol';
import { readTags, type MetaTag } from './tag-reader.ts';

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

/** The most pictures of a page that are known, of which one is shown. */
const MOST_PICTURES = 5;

/** The places in `meta` tags where a page says something, the preferred one first. */
const PLACES = {
  title: ['og:title', 'twitter:title'],
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

/** Reads what a page says of itself, in a time that is that of its length. */
export function readPage(html: string, url: URL): PageFacts {
  const { title, base: given, metas } = readTags(html);
  const said = valuesOf(metas);
  const first = (names: readonly string[], most: number, last?: string) =>
    [...names.map((name) => said.get(name)?.[0]), last]
      .map((text) => previewText(text, most))
      .find((text) => text !== undefined);
  const base = URL.parse(given ?? '', url) ?? url;
  const pictures = PLACES.picture
    .flatMap((name) => said.get(name) ?? [])
    .flatMap((text) => addressIn(text, base));
  return {
    title: first(PLACES.title, MOST_PREVIEW_TITLE, title),
    description: first(PLACES.description, MOST_PREVIEW_DESCRIPTION),
    siteName: first(PLACES.siteName, MOST_SITE_NAME),
    pictures: [...new Set(pictures)].slice(0, MOST_PICTURES),
  };
}

/** The values of the names that matter, in the order of the page. Empty ones do not count. */
function valuesOf(metas: readonly MetaTag[]): ReadonlyMap<string, readonly string[]> {
  const said = new Map<string, string[]>();
  for (const attributes of metas) {
    const value = attributes.get('content') ?? '';
    for (const attribute of ['property', 'name']) {
      const name = attributes.get(attribute)?.trim().toLowerCase() ?? '';
      if (value !== '' && WANTED.has(name)) said.getOrInsertComputed(name, () => []).push(value);
    }
  }
  return said;
}

function addressIn(text: string, base: URL): readonly string[] {
  if (text.trim() === '') return [];
  const url = URL.parse(text.trim(), base);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return url !== null && isWeb ? [url.href] : [];
}

/** Text of a page as it is shown: one line of at most so many characters; undefined if nothing is left of it. */
export function previewText(text: string | undefined, mostCharacters: number): string | undefined {
  if (text === undefined) return undefined;
  // A page may have much of it, and no character takes more than a few units after it is normalised.
  const some = text.trimStart().slice(0, mostCharacters * 8);
  const line = some
    .toWellFormed()
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(UNSAFE_CHARACTERS, '')
    .normalize('NFC')
    .trim();
  const characters = [...line];
  if (characters.length === 0) return undefined;
  if (characters.length <= mostCharacters) return line;
  return `${characters
    .slice(0, mostCharacters - 1)
    .join('')
    .trimEnd()}…`;
}
