import { distance } from 'fastest-levenshtein';

/** The word of `known` with the fewest edits from `word`, ignoring case; undefined if there are no words. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const byEdits = known.map((name) => ({ name, edits: editsBetween(word, name) }));
  return byEdits.toSorted((a, b) => a.edits - b.edits)[0]?.name;
}

/** The number of edits (letters added, removed or replaced) between two words, ignoring case. */
export function editsBetween(word: string, other: string): number {
  return distance(word.toLowerCase(), other.toLowerCase());
}

/** More edits than this make another word, not a misspelling. */
const MOST_EDITS = 2;

/** The word of `known` that `word` is probably a misspelling of; undefined if all differ too much. */
export function likelyWord(word: string, known: readonly string[]): string | undefined {
  const near = nearest(word, known);
  if (near === undefined) return undefined;
  const edits = editsBetween(word, near);
  // Two edits leave nothing of a very short word.
  const most = Math.min(MOST_EDITS, Math.max(lengthOf(word), lengthOf(near)) / 2);
  return edits <= most ? near : undefined;
}

// The dashes of flags do not count, because all flags have them.
function lengthOf(word: string): number {
  return word.replace(/^-+/, '').length;
}
