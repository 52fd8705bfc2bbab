import { foldText } from '@hearth/protocol';

/** The beginning of a mention or of an emoji's name, before the cursor. */
export interface Beginning {
  readonly kind: 'mention' | 'emoji';
  /** The place where it begins in the text, with its mark. */
  readonly start: number;
  /** The place of the cursor. */
  readonly end: number;
  /** The text that follows the mark. */
  readonly query: string;
}

/** A suggestion for a beginning. */
export interface Suggestion {
  /** Replaces the beginning, together with a space. */
  readonly insert: string;
  readonly label: string;
  readonly emoji?: string;
}

/** The suggestions for a beginning, and which of them is chosen. */
export interface Offer {
  readonly beginning: Beginning;
  readonly suggestions: readonly Suggestion[];
  readonly chosen: number;
}

/** The number of suggestions that are offered. */
export const MOST_SUGGESTIONS = 8;

const MENTION = /(?:^|[\s(])@([^\s@]{0,32})$/u;
const EMOJI = /(?:^|[\s(]):([\p{L}\p{N}_+-]{2,32})$/u;
const WHOLE_EMOJI = /(?:^|[\s(]):([\p{L}\p{N}_+-]{1,40}):$/u;

/** The beginning right before the cursor, unless the cursor is within a word. */
export function beginningAt(text: string, cursor: number): Beginning | undefined {
  if (/^[\p{L}\p{N}]/u.test(text.slice(cursor))) return undefined;
  const before = text.slice(Math.max(0, cursor - 80), cursor);
  for (const [kind, pattern] of [['mention', MENTION] as const, ['emoji', EMOJI] as const]) {
    const query = pattern.exec(before)?.[1];
    if (query !== undefined) return { kind, start: cursor - query.length - 1, end: cursor, query };
  }
  return undefined;
}

/** The name of an emoji that has just been closed by its second colon. */
export function closedEmojiAt(text: string, cursor: number): Omit<Beginning, 'kind'> | undefined {
  const query = WHOLE_EMOJI.exec(text.slice(Math.max(0, cursor - 80), cursor))?.[1];
  if (query === undefined) return undefined;
  return { start: cursor - query.length - 2, end: cursor, query };
}

/** The names that begin with `query`, or have a word that does, without regard to case and accents. */
export function suggestNames(names: readonly string[], query: string): readonly Suggestion[] {
  const wanted = foldText(query);
  const isWanted = (name: string) => {
    const folded = foldText(name);
    const words = folded.split(/[^\p{L}\p{M}\p{N}]+/u);
    return folded.startsWith(wanted) || words.some((word) => word.startsWith(wanted));
  };
  return names
    .filter(isWanted)
    .slice(0, MOST_SUGGESTIONS)
    .map((name) => ({ insert: `@${name}`, label: name }));
}

/** The suggestions that came for a beginning. What the reader has chosen among earlier ones for it stays chosen. */
export function nextOffer(
  before: Offer | undefined,
  beginning: Beginning,
  suggestions: readonly Suggestion[],
): Offer | undefined {
  if (suggestions.length === 0) return undefined;
  const kept = before?.beginning === beginning ? before : undefined;
  const insert = kept?.suggestions[kept.chosen]?.insert;
  // The first was chosen by nobody.
  const chosen =
    kept === undefined || kept.chosen === 0
      ? 0
      : suggestions.findIndex((each) => each.insert === insert);
  return { beginning, suggestions, chosen: Math.max(0, chosen) };
}
