import type { KeptAccount } from '../account/accounts.ts';
import { drawsNothing, personName, UNSAFE_CHARACTERS, type NamedPerson } from '@hearth/protocol';

/** As many as there are classes in conversation.css. */
const HUES = 16;
const TONES = 2;

const COMMON = /[\p{sc=Zyyy}\p{sc=Zinh}]/u;
const SCRIPTS = [
  /\p{sc=Latin}/u,
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}]/u,
  /\p{sc=Cyrillic}/u,
  /\p{sc=Greek}/u,
  /\p{sc=Armenian}/u,
  /\p{sc=Hebrew}/u,
  /\p{sc=Arabic}/u,
];
const LATIN = 0;
const EAST_ASIAN = 1;

/** A name for display: characters that would break the line or reverse text become visible. */
export function shownName(author: string): string {
  const name = author.replaceAll(UNSAFE_CHARACTERS, '\u{FFFD}');
  return drawsNothing(name) ? '\u{FFFD}' : name;
}

/** Returns the name of a person as the page shows it, in a community their nickname there. */
export function nameOfPerson(person: NamedPerson, nickname?: string): string {
  return shownName(personName(person, nickname));
}

/** Returns the name of one of the reader's own accounts as the page shows it. */
export function nameOfAccount({
  username,
  displayName,
}: Pick<KeptAccount, 'username' | 'displayName'>): string {
  return nameOfPerson({ username, display_name: displayName });
}

/** Returns the name of somebody who has written something, with an account or as a visitor. */
export function nameOfWriter({
  user,
  author,
}: {
  readonly user?: NamedPerson | undefined;
  readonly author: string;
}): string {
  return user === undefined ? shownName(author) : nameOfPerson(user);
}

/** The colour of a name, as CSS classes: one of sixteen hues in one of two tones, always the same for the same characters. */
export function nameColour(author: string): string {
  // FNV-1a, with both halves combined: the last bits alone depend mostly on the last character.
  let hash = 0x811c9dc5;
  for (let index = 0; index < author.length; index += 1) {
    hash = Math.imul(hash ^ author.charCodeAt(index), 0x01000193);
  }
  const mixed = (hash ^ (hash >>> 13) ^ (hash >>> 23)) >>> 0;
  return `hue-${mixed % HUES} tone-${Math.floor(mixed / HUES) % TONES}`;
}

/**
 * Returns whether the letters of a name are of several scripts, as in "pаypal" with a Cyrillic а. Latin beside Chinese,
 * Japanese or Korean is usual (UTS 39, 5.2: highly restrictive).
 */
export function mixesScripts(author: string): boolean {
  const scripts = new Set<number>();
  for (const letter of author.match(/\p{L}/gu) ?? []) {
    if (!COMMON.test(letter)) scripts.add(SCRIPTS.findIndex((script) => script.test(letter)));
  }
  if (scripts.has(LATIN)) scripts.delete(EAST_ASIAN);
  return scripts.size > 1;
}

/** An abbreviation of a name: its first character as a reader sees it, with all its marks. */
export function initialOf(author: string): string {
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const [first] = segments.segment(shownName(author).trimStart());
  // A pile of marks is not a character.
  const initial = first === undefined || first.segment.length > 16 ? '?' : first.segment;
  return initial.toUpperCase();
}
