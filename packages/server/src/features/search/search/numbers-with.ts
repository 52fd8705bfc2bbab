import { MOST_SEARCH_CANDIDATES } from '@hearth/protocol';
import { blockOf, hitsInAll, numbersIn, numbersOf, type BlockSpan } from './blocks.ts';
import type { LookedUp } from './index-words.ts';

/** Of how many messages the blocks are read at first, and at most, at once. */
const FIRST_MESSAGES = 256;
const MOST_MESSAGES = 262_144;

/** The next blocks are as many as have so many messages that are found, if they are like those that were read. */
const AIM = 64;

/** Blocks that are read at most at once. */
const MOST_BLOCKS = 128;

/** What has a word in a block. */
export interface Hits {
  readonly block: number;
  readonly hits: string;
}

/** Some blocks of one size. */
export interface SizedBlocks {
  readonly size: number;
  readonly blocks: readonly number[];
}

export interface IndexRows {
  /** Where words occur. */
  ofWords(blocks: SizedBlocks, words: readonly string[]): Promise<readonly Hits[]>;
  /** Where words with a beginning occur. */
  ofBeginning(blocks: SizedBlocks, beginning: string): Promise<readonly Hits[]>;
}

export interface NumberRange {
  readonly firstNumber: number;
  readonly lastNumber: number;
}

export interface LookUp extends NumberRange {
  readonly lookedUp: LookedUp;
  /** The blocks that have the range, the newest first. */
  readonly spans: readonly BlockSpan[];
}

/** Some numbers of messages, the largest first, and down to which number they are all. */
export interface FoundNumbers {
  readonly numbers: readonly number[];
  readonly reached: number;
  /** How many rows of the index were read. */
  readonly cost: number;
}

/** The numbers of the messages that have everything that is looked up. */
export async function* numbersWith(
  rows: IndexRows,
  { lookedUp, spans, firstNumber, lastNumber }: LookUp,
): AsyncGenerator<FoundNumbers, void> {
  let messages = FIRST_MESSAGES;
  let rowsAMessage = 0;
  let read = 0;
  let count = 0;
  for (const { size, first, last } of spans) {
    const firstBlock = Math.max(first, blockOf(firstNumber, size));
    for (let end = Math.min(last, blockOf(lastNumber, size)); end >= firstBlock;) {
      // Beginnings of few characters have many words.
      const affordable = Math.min(messages, MOST_SEARCH_CANDIDATES / rowsAMessage);
      const most = Math.min(MOST_BLOCKS, Math.max(1, Math.floor(affordable / size)));
      const begin = Math.max(firstBlock, end + 1 - most);
      const blocks = Array.from({ length: end - begin + 1 }, (_, at) => end - at);
      const { hits, cost } = await hitsIn(rows, { size, blocks }, lookedUp);
      const numbers = blocks
        .flatMap((index) => numbersIn(hits.get(index) ?? '', { size, index }))
        .filter((number) => number >= firstNumber && number <= lastNumber);
      const reached = Math.max(firstNumber, numbersOf({ size, index: begin }).first);
      yield { numbers, reached, cost };
      end = begin - 1;
      rowsAMessage = cost / (blocks.length * size);
      read += blocks.length * size;
      count += numbers.length;
      messages = Math.min((AIM * read) / (count + 1), MOST_MESSAGES);
    }
  }
}

/** Hits by their blocks, and how many rows were read. */
interface FoundHits {
  readonly hits: ReadonlyMap<number, string>;
  readonly cost: number;
}

/** The hits of each block that has any. */
async function hitsIn(
  rows: IndexRows,
  { size, blocks }: SizedBlocks,
  { mark, ...lookedUp }: LookedUp,
): Promise<FoundHits> {
  const found = await hitsOfWords(rows, { size, blocks }, lookedUp);
  if (mark === undefined) return found;
  const left = blocks.filter((block) => (found.hits.get(block) ?? '') !== '');
  if (left.length === 0) return found;
  const marked = await rows.ofWords({ size, blocks: left }, [mark]);
  const hits = marked.map(
    ({ block, hits: each }) => [block, hitsInAll([each, found.hits.get(block) ?? ''])] as const,
  );
  return { hits: new Map(hits), cost: found.cost + marked.length };
}

async function hitsOfWords(
  rows: IndexRows,
  { size, blocks }: SizedBlocks,
  { words, beginning }: Omit<LookedUp, 'mark'>,
): Promise<FoundHits> {
  const read = words.length === 0 ? [] : await rows.ofWords({ size, blocks }, words);
  const ofWords = Map.groupBy(read, ({ block }) => block);
  // Frequent words have many hits, so these are compared only if the block has everything.
  const left = blocks.filter((block) => (ofWords.get(block)?.length ?? 0) === words.length);
  if (beginning === undefined || left.length === 0) {
    return {
      hits: new Map(left.map((at) => [at, hitsInAll(textsOf(ofWords, at))])),
      cost: read.length,
    };
  }
  const begun = await rows.ofBeginning({ size, blocks: left }, beginning);
  const hits = new Map<number, string>();
  for (const [block, found] of Map.groupBy(begun, (row) => row.block)) {
    const any = found.map((row) => row.hits).join('');
    hits.set(block, hitsInAll([any, ...textsOf(ofWords, block)]));
  }
  return { hits, cost: read.length + begun.length };
}

function textsOf(hits: ReadonlyMap<number, readonly Hits[]>, block: number): readonly string[] {
  return (hits.get(block) ?? []).map((row) => row.hits);
}

/** The numbers of messages that the index does not have as they are now. They are found in their place. */
export class EditedNumbers {
  /** The largest first. */
  #left: readonly number[];

  constructor(numbers: readonly number[], { firstNumber, lastNumber }: NumberRange) {
    this.#left = numbers
      .filter((number) => number >= firstNumber && number <= lastNumber)
      .toSorted((one, other) => other - one);
  }

  /** The numbers that were found, together with those of edited messages down to the same number; the largest first. */
  among({ numbers, reached }: Pick<FoundNumbers, 'numbers' | 'reached'>): readonly number[] {
    const end = this.#left.findIndex((number) => number < reached);
    const within = end === -1 ? this.#left : this.#left.slice(0, end);
    if (within.length === 0) return numbers;
    this.#left = this.#left.slice(within.length);
    return [...new Set([...numbers, ...within])].toSorted((one, other) => other - one);
  }
}
