import { foldText, type Id, type SearchedContent, type SearchTerms } from '@hearth/protocol';
import type { IndexedKind } from '../../talk/index-queue/index-queue.ts';
import { placeOf } from './blocks.ts';
import type { Entry } from './entries.ts';

/** Longer words are cut, because keys of an index are bounded. */
const MOST_LENGTH = 40;

/** Marks that are stored beside words. No word contains these characters. */
const AUTHOR = '@';
const LINK = ':link';
const FILE = ':file';
const MARKS: Readonly<Record<IndexedKind, string>> = {
  lobby: ':message',
  messages: ':message',
  posts: ':post',
  comments: ':comment',
};

/** Both match more than they have to. What they match is checked when it is read. */
const ANY_LINK = /https?:\/\//i;
// An address ends where another begins, so that no part of a text is looked at for each of them.
const ANY_FILE = /https?:\/\/(?:(?!https?:\/\/)\S)*\/\d/i;

/** Words that are looked up in the index; the longest are the rarest. What they find is checked for the others. */
const MOST_LOOKED_UP = 8;

/** Pairs of words that are looked up. What they find is checked for the others. */
const MOST_PAIRS = 8;

/** The words that an entry needs in the index to be found. */
export interface LookedUp {
  readonly words: readonly string[];
  /** Two of the words, the second of which follows the first directly. */
  readonly pairs: readonly (readonly [before: string, word: string])[];
  /** A word begins with it. */
  readonly beginning: string | undefined;
  /** An entry has one of each of these. They are looked up only where the words are, and where these are not few. */
  readonly anyOf: readonly (readonly string[])[];
  /** An entry has none of these. */
  readonly noneOf: readonly string[];
}

/** The words, the author and the content that are searched. */
export interface Wanted {
  readonly terms: SearchTerms;
  /** The folded name of the author. */
  readonly from: string | undefined;
  readonly has: SearchedContent | undefined;
}

/** Words with their places in an entry. */
export type PlacedWords = ReadonlyMap<string, string>;

/** Returns the words of an entry in the index. `communityId` is that of its place, and `inText` are the words of its text. */
export function indexedWords(
  { kind, placeId, userId, author, text, files }: Omit<Entry, 'id' | 'stored'>,
  communityId: Id | undefined,
  inText: readonly string[],
): PlacedWords {
  const words = new Map<string, string>();
  for (const [at, word] of inText.map(cut).entries()) {
    const [places, place] = [words.get(word) ?? '', placeOf(at)];
    if (!places.includes(place)) words.set(word, places + place);
  }
  const mark = (word: string) => words.set(word, '');
  mark(MARKS[kind]);
  mark(placeWord(placeId));
  if (communityId !== undefined) mark(communityWord(communityId));
  if (userId !== '') mark(authorWord(userId));
  if (author !== '') mark(authorWord(author));
  if (ANY_LINK.test(text)) mark(LINK);
  if (files.length > 0 || (kind === 'lobby' && ANY_FILE.test(text))) mark(FILE);
  return words;
}

/** Returns the words of a search that are looked up in the index, except those of places; one of the authors is meant. */
export function lookedUp(
  { terms, has }: Wanted,
  {
    kinds,
    authors,
  }: { readonly kinds: readonly IndexedKind[]; readonly authors: readonly string[] },
): Omit<LookedUp, 'noneOf'> {
  const all = terms.words.map(cut).toSorted((one, other) => other.length - one.length);
  const words = [...new Set(all.slice(0, MOST_LOOKED_UP))];
  const pairs = terms.phrases.flatMap((phrase) =>
    phrase.slice(1).map((word, at) => [cut(phrase[at] ?? ''), cut(word)] as const),
  );
  const known = pairs.filter((pair) => pair.every((word) => words.includes(word)));
  const { beginning } = terms;
  const marks = new Set(kinds.map((kind) => MARKS[kind]));
  return {
    words,
    // A phrase may repeat itself.
    pairs: [...new Map(known.map((pair) => [pair.join(' '), pair])).values()].slice(0, MOST_PAIRS),
    beginning: beginning === undefined ? undefined : cut(beginning),
    anyOf: [
      ...(authors.length === 0 ? [] : [authors.map(authorWord)]),
      ...(has === undefined ? [] : [[has === 'link' ? LINK : FILE]]),
      ...(marks.size === new Set(Object.values(MARKS)).size ? [] : [[...marks]]),
    ],
  };
}

/** Words of all that is in a place, or in a community. They are not cut, because some searches are for those without them. */
export function placeWord(placeId: Id): string {
  return `:in${placeId}`;
}

export function communityWord(communityId: Id): string {
  return `:of${communityId}`;
}

/** An author's name as names are compared. */
export function foldName(name: string): string {
  return foldText(name).trim();
}

function authorWord(author: string): string {
  // No database stores every character of a name.
  return cut(`${AUTHOR}${foldName(author).replaceAll(/\p{Cc}/gu, ' ')}`);
}

function cut(word: string): string {
  return word.slice(0, MOST_LENGTH).toWellFormed();
}
