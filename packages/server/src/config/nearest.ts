import { distance } from 'fastest-levenshtein';

/** The one of `known` that takes the fewest edits to come to from `word`, whatever the case; undefined of none. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const byEdits = known.map((name) => ({ name, edits: editsBetween(word, name) }));
  return byEdits.toSorted((a, b) => a.edits - b.edits)[0]?.name;
}

/** Edits (letters added, removed or replaced) between two words, whatever their case. */
export function editsBetween(word: string, other: string): number {
  return distance(word.toLowerCase(), other.toLowerCase());
}

/** More edits than this make another word, not a misspelling. */
const MOST_EDITS = 2;

/** The one of `known` that `word` is likely a misspelling of; undefined if all of them differ too much. */
export function likelyWord(word: string, known: readonly string[]): string | undefined {
  const near = nearest(word, known);
  if (near === undefined) return undefined;
  const edits = editsBetween(word, near);
  // Two edits leave nothing of a very short word.
  const most = Math.min(MOST_EDITS, Math.max(lengthOf(word), lengthOf(near)) / 2);
  return edits <= most ? near : undefined;
}

// All flags have dashes, which make none of them likelier.
function lengthOf(word: string): number {
  return word.replace(/^-+/, '').length;
}
