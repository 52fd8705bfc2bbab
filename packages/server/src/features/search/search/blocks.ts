/** An entry is a character of two or three bytes in UTF-8, and the last one is not a surrogate. */
const FIRST_CHARACTER = 0x100;
const CHARACTERS = 0xd800 - FIRST_CHARACTER;

/** Numbers of entries in a block. */
export interface BlockSizes {
  /** The number after which the next block begins. Entries that come late are added to a full one. */
  readonly full: number;
  /** The number that it has room for. */
  readonly most: number;
}

export const BLOCK_SIZES: BlockSizes = { full: 8_192, most: CHARACTERS };

/** The entry at a position in the hits of its block. */
export function hitOf(position: number): string {
  return String.fromCharCode(FIRST_CHARACTER + position);
}

/** Returns the positions in hits, each once. */
export function positionsIn(hits: string): readonly number[] {
  const positions: number[] = [];
  hitsWhere(hits, (position) => positions.push(position) > 0);
  return positions;
}

/** Returns hits with the positions that a function accepts, each once. */
export function hitsWhere(hits: string, isMeant: (position: number) => boolean): string {
  // Frequent words have thousands of hits, for which this is much faster than a Set.
  const seen = new Uint8Array(CHARACTERS);
  let meant = '';
  for (let at = 0; at < hits.length; at += 1) {
    const position = hits.charCodeAt(at) - FIRST_CHARACTER;
    if (seen[position] === 1) continue;
    seen[position] = 1;
    if (isMeant(position)) meant += hits.charAt(at);
  }
  return meant;
}

/** The hits that are in all of these, which are of one block. */
export function hitsInAll(texts: readonly string[]): string {
  const [shortest = '', ...others] = texts.toSorted((one, other) => one.length - other.length);
  if (others.length === 0) return shortest;
  const marks = others.map(marksOf);
  return hitsWhere(shortest, (position) => marks.every((each) => each[position] === 1));
}

/** The hits of one text that are not in another one. */
export function hitsWithout(hits: string, others: string): string {
  const marks = marksOf(others);
  return hitsWhere(hits, (position) => marks[position] !== 1);
}

function marksOf(hits: string): Uint8Array {
  const marks = new Uint8Array(CHARACTERS);
  for (let at = 0; at < hits.length; at += 1) marks[hits.charCodeAt(at) - FIRST_CHARACTER] = 1;
  return marks;
}
