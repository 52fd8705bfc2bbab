/** An entry is a character of two or three bytes in UTF-8, and the last one is not a surrogate. */
const FIRST_CHARACTER = 0x100;
const CHARACTERS = 0xd800 - FIRST_CHARACTER;

/** The places of a word in an entry follow it, as characters of one byte. After the last one, the first is used again. */
const FIRST_PLACE = 0x20;
const PLACES = 64;

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

/** The place of a word in an entry: the number of words before it. */
export function placeOf(at: number): string {
  return String.fromCharCode(FIRST_PLACE + (at % PLACES));
}

/** Returns the positions in hits of a block, each once. */
export function positionsIn(texts: readonly string[]): Uint16Array {
  // Frequent words have thousands of hits, for which these are much faster than a Set and a list.
  const size = sizeFor(texts);
  const [seen, positions] = [new Uint8Array(size), new Uint16Array(size)];
  let count = 0;
  for (const hits of texts) {
    for (let at = 0; at < hits.length; at += 1) {
      const position = hits.charCodeAt(at) - FIRST_CHARACTER;
      if (position < 0 || seen[position] === 1) continue;
      seen[position] = 1;
      positions[count] = position;
      count += 1;
    }
  }
  return positions.slice(0, count);
}

/** Returns hits with the positions that a function accepts, each once: as it was added last, with its places. */
export function hitsWhere(hits: string, isMeant: (position: number) => boolean): string {
  const seen = new Uint8Array(sizeFor([hits]));
  let meant = '';
  let end = hits.length;
  for (let at = hits.length - 1; at >= 0; at -= 1) {
    const position = hits.charCodeAt(at) - FIRST_CHARACTER;
    if (position < 0) continue;
    if (seen[position] !== 1 && isMeant(position)) meant += hits.slice(at, end);
    seen[position] = 1;
    end = at;
  }
  return meant;
}

/** The number of positions up to the highest one. There is room for many more, and to get that takes long. */
function sizeFor(texts: readonly string[]): number {
  let most = FIRST_CHARACTER - 1;
  for (const hits of texts) {
    for (let at = 0; at < hits.length; at += 1) most = Math.max(most, hits.charCodeAt(at));
  }
  return most + 1 - FIRST_CHARACTER;
}

/** A list with a 1 for each position of a block that has something. */
export type Marks = Uint8Array;

/** Marks the entries in which a place of a word follows one of another word. */
export function marksAfter(before: string, hits: string): Marks {
  const size = sizeFor([before, hits]);
  // A bit for each place that follows one of the other word.
  const [marks, following] = [new Uint8Array(size), new Uint32Array(2 * size)];
  let position = 0;
  for (let at = 0; at < before.length; at += 1) {
    const code = before.charCodeAt(at);
    if (code >= FIRST_CHARACTER) position = code - FIRST_CHARACTER;
    else {
      const place = (code - FIRST_PLACE + 1) % PLACES;
      const word = 2 * position + (place >> 5);
      following[word] = (following[word] ?? 0) | (1 << (place & 31));
    }
  }
  for (let at = 0; at < hits.length; at += 1) {
    const code = hits.charCodeAt(at);
    if (code >= FIRST_CHARACTER) position = code - FIRST_CHARACTER;
    else {
      const place = code - FIRST_PLACE;
      const bits = following[2 * position + (place >> 5)] ?? 0;
      marks[position] = (marks[position] ?? 0) | ((bits >>> (place & 31)) & 1);
    }
  }
  return marks;
}

/** Marks the positions in hits of a block. */
export function marksOf(texts: readonly string[]): Marks {
  const marks = new Uint8Array(sizeFor(texts));
  for (const hits of texts) {
    for (let at = 0; at < hits.length; at += 1) {
      const position = hits.charCodeAt(at) - FIRST_CHARACTER;
      if (position >= 0) marks[position] = 1;
    }
  }
  return marks;
}

/** The positions that are marked, or those that are not. */
export function positionsWith(positions: Uint16Array, marks: Marks, mark: 0 | 1): Uint16Array {
  const left = new Uint16Array(positions.length);
  let count = 0;
  for (let at = 0; at < positions.length; at += 1) {
    const position = positions[at] ?? 0;
    left[count] = position;
    // Without a branch, which no processor could foresee.
    count += 1 ^ mark ^ (marks[position] ?? 0);
  }
  return left.subarray(0, count);
}
