import { MOST_SEARCH_CANDIDATES } from '@hearth/protocol';
import type { Reader } from '../../ports/database/database.ts';
import { numberOf, numbersOf } from './blocks.ts';
import type { LookedUp } from './index-words.ts';
import { selectHits, selectHitsOfBeginning, type BlockRange, type Hits } from './store.ts';

/** Blocks that are read at first, and at most, at once. The numbers that occur are few, so that statements repeat. */
const FIRST_BLOCKS = 2;
const GROWTH = 4;
const MOST_BLOCKS = 256;

/** So many hits are searched for in texts, and more in sets, which take longer to make. */
const FEW_HITS = 16;

/** Which messages are searched. */
export interface NumberRange {
  readonly firstBlock: number;
  readonly lastBlock: number;
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
  let count = FIRST_BLOCKS;
  for (let end = range.lastBlock; end >= range.firstBlock;) {
    const begin = Math.max(range.firstBlock, end - count + 1);
    const blocks = Array.from({ length: end - begin + 1 }, (_, index) => end - index);
    const { hits, cost } = await hitsIn(db, { place, blocks }, lookedUp);
    const numbers = blocks
      .flatMap((block) => numbersIn(hits.get(block) ?? '', block))
      .filter((number) => number <= range.lastNumber);
    yield { numbers, reached: numbersOf(begin).first, cost };
    end = begin - 1;
    // Beginnings of few characters have many words.
    const affordable = Math.floor((MOST_SEARCH_CANDIDATES * blocks.length) / Math.max(1, cost));
    count = Math.max(1, Math.min(count * GROWTH, MOST_BLOCKS, affordable));
  }
}

/** The hits of each block that has any. */
async function hitsIn(
  db: Reader,
  blocks: BlockRange,
  { words, beginning }: LookedUp,
): Promise<{ readonly hits: ReadonlyMap<number, string>; readonly cost: number }> {
  const rows = words.length === 0 ? [] : await selectHits(db, blocks, words);
  const ofWords = Map.groupBy(rows, ({ block }) => block);
  // Frequent words have many hits, so these are compared only if the block has everything.
  const left = blocks.blocks.filter((block) => (ofWords.get(block)?.length ?? 0) === words.length);
  if (beginning === undefined || left.length === 0) {
    return {
      hits: new Map(left.map((at) => [at, inAll(textsOf(ofWords, at))])),
      cost: rows.length,
    };
  }
  const begun = await selectHitsOfBeginning(db, { ...blocks, blocks: left }, beginning);
  const hits = new Map<number, string>();
  for (const [block, found] of Map.groupBy(begun, (row) => row.block)) {
    const any = found.map((row) => row.hits).join('');
    hits.set(block, inAll([any, ...textsOf(ofWords, block)]));
  }
  return { hits, cost: rows.length + begun.length };
}

function textsOf(hits: ReadonlyMap<number, readonly Hits[]>, block: number): readonly string[] {
  return (hits.get(block) ?? []).map((row) => row.hits);
}

/** The characters that all texts have. */
function inAll(texts: readonly string[]): string {
  const [shortest = '', ...others] = texts.toSorted((one, other) => one.length - other.length);
  if (others.length === 0) return shortest;
  const isIn =
    shortest.length <= FEW_HITS
      ? others.map((text) => (hit: string) => text.includes(hit))
      : others.map((text) => {
          const hits = new Set(text);
          return (hit: string) => hits.has(hit);
        });
  return [...shortest].filter((hit) => isIn.every((has) => has(hit))).join('');
}

/** The numbers of hits, the largest first. */
function numbersIn(hits: string, block: number): readonly number[] {
  const numbers = Array.from(new Set(hits), (hit) => numberOf(hit, block));
  return numbers.toSorted((one, other) => other - one);
}
