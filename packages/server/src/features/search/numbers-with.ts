import { MOST_SEARCH_CANDIDATES } from '@hearth/protocol';
import type { Reader } from '../../ports/database/database.ts';
import { numberOf, numbersOf } from './blocks.ts';
import type { LookedUp } from './index-words.ts';
import { selectHits, selectHitsOfBeginning, type BlockRange } from './store.ts';

/** Blocks that are read at first, and at most, at once. The numbers that occur are few, so that statements repeat. */
const FIRST_BLOCKS = 2;
const GROWTH = 4;
const MOST_BLOCKS = 256;

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
  const hits = new Map<number, string>();
  let cost = 0;
  if (words.length > 0) {
    const rows = await selectHits(db, blocks, words);
    cost += rows.length;
    for (const [block, found] of Map.groupBy(rows, (row) => row.block)) {
      if (found.length === words.length) hits.set(block, inAll(found.map((row) => row.hits)));
    }
  }
  if (beginning === undefined) return { hits, cost };
  const left = words.length === 0 ? blocks.blocks : [...hits.keys()];
  if (left.length === 0) return { hits, cost };
  const rows = await selectHitsOfBeginning(db, { ...blocks, blocks: left }, beginning);
  cost += rows.length;
  const begun = Map.groupBy(rows, (row) => row.block);
  const both = left.map((block) => {
    const any = (begun.get(block) ?? []).map((row) => row.hits).join('');
    return [block, words.length === 0 ? any : inAll([hits.get(block) ?? '', any])] as const;
  });
  return { hits: new Map(both), cost };
}

/** The characters that all texts have. */
function inAll(texts: readonly string[]): string {
  const [shortest = '', ...others] = texts.toSorted((one, other) => one.length - other.length);
  const sets = others.map((text) => new Set(text));
  return [...shortest].filter((hit) => sets.every((set) => set.has(hit))).join('');
}

/** The numbers of hits, the largest first. */
function numbersIn(hits: string, block: number): readonly number[] {
  const numbers = Array.from(new Set(hits), (hit) => numberOf(hit, block));
  return numbers.toSorted((one, other) => other - one);
}
