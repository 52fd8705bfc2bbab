import { UNSAFE_CHARACTERS } from '@hearth/protocol';

/** The number of hues in the tokens: --name-0 and so on. */
const HUES = 8;

/** A name for display: characters that would break the line or reverse text become visible. */
export function shownName(author: string): string {
  const name = author.replaceAll(UNSAFE_CHARACTERS, '\u{FFFD}');
  return name.trim() === '' ? '\u{FFFD}' : name;
}

/** The hue of a name: always the same for the same name. */
export function nameHue(author: string): number {
  // FNV-1a, with both halves combined: the last bits alone depend mostly on the last character.
  let hash = 0x811c9dc5;
  for (let index = 0; index < author.length; index += 1) {
    hash = Math.imul(hash ^ author.charCodeAt(index), 0x01000193);
  }
  return ((hash ^ (hash >>> 13) ^ (hash >>> 23)) >>> 0) % HUES;
}

/** An abbreviation of a name: its first character as a reader sees it, with all its marks. */
export function initialOf(author: string): string {
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const [first] = segments.segment(shownName(author).trimStart());
  // A pile of marks is not a character.
  const initial = first === undefined || first.segment.length > 16 ? '?' : first.segment;
  return initial.toUpperCase();
}
