import { MOST_SEARCH_CANDIDATES } from '@hearth/protocol';
import type { Reader } from '../../ports/database/database.ts';
import { blockOf, blocksUpTo, hitsInAll, numbersIn, numbersOf } from './blocks.ts';
import type { LookedUp } from './index-words.ts';
import { selectHits, selectHitsOfBeginning, type Hits, type SomeBlocks } from './store.ts';

/** Of how many messages the blocks are read at first, and at most, at once. */
const FIRST_MESSAGES = 256;
const GROWTH = 4;
const MOST_MESSAGES = 262_144;

/** Which messages are searched. */
export interface NumberRange {
  /** Up to where messages are indexed. */
  readonly indexedNumber: number;
  readonly firstNumber: number;
  readonly lastNumber: number;
}

/** What to look up, and where. */
export interface LookUp {
  readonly place: number;
  readonly lookedUp: LookedUp;
  readonly range: NumberRange;
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
  db: Reader,
  { place, lookedUp, range }: LookUp,
): AsyncGenerator<FoundNumbers> {
  const { indexedNumber, firstNumber, lastNumber } = range;
  let messages = FIRST_MESSAGES;
  let rowsAMessage = 0;
  for (const { size, first, last } of blocksUpTo(indexedNumber)) {
    const firstBlock = Math.max(first, blockOf(firstNumber, size));
    for (let end = Math.min(last, blockOf(lastNumber, size)); end >= firstBlock;) {
      // Beginnings of few characters have many words.
      const affordable = Math.min(messages, MOST_SEARCH_CANDIDATES / rowsAMessage);
      const begin = Math.max(firstBlock, end + 1 - Math.max(1, Math.floor(affordable / size)));
      const blocks = Array.from({ length: end - begin + 1 }, (_, at) => end - at);
      const { hits, cost } = await hitsIn(db, { place, size, blocks }, lookedUp);
      const numbers = blocks
        .flatMap((index) => numbersIn(hits.get(index) ?? '', { size, index }))
        .filter((number) => number <= lastNumber);
      yield { numbers, reached: numbersOf({ size, index: begin }).first, cost };
      end = begin - 1;
      rowsAMessage = cost / (blocks.length * size);
      messages = Math.min(messages * GROWTH, MOST_MESSAGES);
    }
  }
}

/** The hits of each block that has any. */
async function hitsIn(
  db: Reader,
  blocks: SomeBlocks,
  { words, beginning }: LookedUp,
): Promise<{ readonly hits: ReadonlyMap<number, string>; readonly cost: number }> {
  const rows = words.length === 0 ? [] : await selectHits(db, blocks, words);
  const ofWords = Map.groupBy(rows, ({ block }) => block);
  // Frequent words have many hits, so these are compared only if the block has everything.
  const left = blocks.blocks.filter((block) => (ofWords.get(block)?.length ?? 0) === words.length);
  if (beginning === undefined || left.length === 0) {
    return {
      hits: new Map(left.map((at) => [at, hitsInAll(textsOf(ofWords, at))])),
      cost: rows.length,
    };
  }
  const begun = await selectHitsOfBeginning(db, { ...blocks, blocks: left }, beginning);
  const hits = new Map<number, string>();
  for (const [block, found] of Map.groupBy(begun, (row) => row.block)) {
    const any = found.map((row) => row.hits).join('');
    hits.set(block, hitsInAll([any, ...textsOf(ofWords, block)]));
  }
  return { hits, cost: rows.length + begun.length };
}

function textsOf(hits: ReadonlyMap<number, readonly Hits[]>, block: number): readonly string[] {
  return (hits.get(block) ?? []).map((row) => row.hits);
}
