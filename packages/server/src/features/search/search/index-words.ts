import {
  foldText,
  type LobbyMessage,
  type SearchedContent,
  type SearchTerms,
  type SplitWords,
} from '@hearth/protocol';

/** Longer words are cut, because keys of an index are bounded. */
const MOST_LENGTH = 40;

/** What is stored beside words. No word contains these characters. */
const AUTHOR = '@';
const LINK = ':link';
const FILE = ':file';
/** A word of every post, by which a search for posts finds no comments. */
export const POST = ':post';
export const COMMENT = ':comment';

/** Both match more than they have to. What they match is checked when it is read. */
const ANY_LINK = /https?:\/\//i;
// An address ends where another begins, so that no part of a text is looked at for each of them.
const ANY_FILE = /https?:\/\/(?:(?!https?:\/\/)\S)*\/\d/i;

/** Words that are looked up in the index; the longest are the rarest. What they find is checked for the others. */
const MOST_LOOKED_UP = 8;

/** What the index has to contain for a message to be found. */
export interface LookedUp {
  readonly words: readonly string[];
  /** A word begins with it. */
  readonly beginning: string | undefined;
  /** What everything has that is searched, so it is looked up only where the words are. */
  readonly mark?: string | undefined;
}

export interface Wanted {
  readonly terms: SearchTerms;
  readonly from: string | undefined;
  readonly has: SearchedContent | undefined;
}

/** What is stored of a message in the index. */
export function indexedWords(
  { author, content }: LobbyMessage,
  split: SplitWords,
): ReadonlySet<string> {
  const words = new Set(split(foldText(content)).map(cut));
  words.add(authorWord(author));
  if (ANY_LINK.test(content)) words.add(LINK);
  if (ANY_FILE.test(content)) words.add(FILE);
  return words;
}

export interface IndexedEntry {
  /** The author, an account, which may change its name. */
  readonly userId: string;
  readonly text: string;
  readonly files: readonly unknown[];
  /** Says which kind it is, where there are several. */
  readonly mark: string | undefined;
}

/** What is stored of a message, post or comment of a channel in the index. */
export function indexedChannelWords(
  { userId, text, files, mark }: IndexedEntry,
  split: SplitWords,
): ReadonlySet<string> {
  const words = new Set(split(foldText(text)).map(cut));
  words.add(authorWord(userId));
  if (ANY_LINK.test(text)) words.add(LINK);
  if (files.length > 0) words.add(FILE);
  if (mark !== undefined) words.add(mark);
  return words;
}

/** What of a search is looked up in the index; `mark` is what everything has that is searched. */
export function lookedUp({ terms, from, has }: Wanted, mark?: string): LookedUp {
  const marks = [
    ...(from === undefined ? [] : [authorWord(from)]),
    ...(has === undefined ? [] : [has === 'link' ? LINK : FILE]),
  ];
  const words = terms.words.map(cut).toSorted((one, other) => other.length - one.length);
  const { beginning } = terms;
  return {
    words: [...new Set([...marks, ...words.slice(0, MOST_LOOKED_UP)])],
    beginning: beginning === undefined ? undefined : cut(beginning),
    mark,
  };
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
