/**
 * Messages in a block, by level. The newest messages are indexed in small blocks, so that few are left to be searched one
 * by one, and all that fill a larger block are indexed in that one, so that a search reads few rows. Each size is a
 * multiple of the one before.
 */
export const BLOCK_SIZES = [128, 1_024, 8_192] as const;

const MOST_MESSAGES = Math.max(...BLOCK_SIZES);

/** Some messages whose words are stored together: those with the numbers after `index * size`. */
export interface Block {
  readonly size: number;
  readonly index: number;
}

/** Blocks of a size that follow each other. */
export interface BlockSpan {
  readonly size: number;
  readonly first: number;
  readonly last: number;
}

/** A message is a character of two or three bytes in UTF-8, and the last one is not a surrogate. */
const FIRST_CHARACTER = 0x100;

/** The block of a size with this number in it. */
export function blockOf(number: number, size: number): number {
  return Math.floor((number - 1) / size);
}

/** The numbers of a block's first and last message. */
export function numbersOf({ size, index }: Block): {
  readonly first: number;
  readonly last: number;
} {
  return { first: index * size + 1, last: (index + 1) * size };
}

/** The largest block that has the message with this number and ends before `end`. */
export function largestBlock(number: number, end: number): Block | undefined {
  return BLOCK_SIZES.map((size): Block => ({ size, index: blockOf(number, size) })).findLast(
    (block) => numbersOf(block).last < end,
  );
}

/** The blocks in which all messages up to a number are, the newest first, if it is the last one of a block. */
export function blocksUpTo(number: number): readonly BlockSpan[] {
  return BLOCK_SIZES.map((size) => ({
    size,
    first: firstOf(size, number),
    last: blockOf(number + 1, size) - 1,
  }));
}

/** The first block of a size that no larger block takes the place of, if all messages up to a number are in blocks. */
export function firstOf(size: number, number: number): number {
  const larger = BLOCK_SIZES.find((each) => each > size);
  return larger === undefined ? 0 : (blockOf(number + 1, larger) * larger) / size;
}

/**
 * The first block of a size that a search may read. One that began some time ago may read the blocks that the last
 * larger block has taken the place of.
 */
export function firstRead(size: number, indexedNumber: number): number {
  const larger = BLOCK_SIZES.find((each) => each > size);
  return larger === undefined ? 0 : firstOf(size, indexedNumber - larger);
}

/** A message in the hits of its block. */
export function hitOf(number: number, size: number): string {
  return String.fromCharCode(FIRST_CHARACTER + ((number - 1) % size));
}

/** Hits of a block in those of a larger one, in which this many messages come before it. */
export function shiftedHits(hits: string, before: number): string {
  let shifted = '';
  for (let at = 0; at < hits.length; at += 1) {
    shifted += String.fromCharCode(hits.charCodeAt(at) + before);
  }
  return shifted;
}

/** The numbers of the messages in the hits of a block, the largest first and each once. */
export function numbersIn(hits: string, block: Block): readonly number[] {
  const { first } = numbersOf(block);
  const numbers: number[] = [];
  for (let at = hits.length - 1; at >= 0; at -= 1) {
    numbers.push(first + hits.charCodeAt(at) - FIRST_CHARACTER);
  }
  // The hits of one word are in order; those of several words are not.
  const isInOrder = numbers.every((number, at) => number < (numbers[at - 1] ?? Infinity));
  return isInOrder ? numbers : [...new Set(numbers)].toSorted((one, other) => other - one);
}

/** The hits that are in all of these, which are of one block. */
export function hitsInAll(texts: readonly string[]): string {
  const [shortest = '', ...others] = texts.toSorted((one, other) => one.length - other.length);
  const marks = others.map(marksOf);
  return [...shortest]
    .filter((hit) => marks.every((each) => each[hit.charCodeAt(0)] === 1))
    .join('');
}

// Frequent words have thousands of hits, for which this is much faster than a Set.
function marksOf(hits: string): Uint8Array {
  const marks = new Uint8Array(FIRST_CHARACTER + MOST_MESSAGES);
  for (let at = 0; at < hits.length; at += 1) marks[hits.charCodeAt(at)] = 1;
  return marks;
}
