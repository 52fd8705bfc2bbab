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
