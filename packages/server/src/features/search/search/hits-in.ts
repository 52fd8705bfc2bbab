import { letOthersRun } from '../../../lib/let-others-run.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { marksAfter, marksOf, positionsIn, positionsWith } from './blocks.ts';
import type { LookedUp } from './index-words.ts';
import { selectBegun, selectHits, type BlockHits, type WordHits } from './words-store.ts';

/** Characters of hits that are looked through before others run, which takes some milliseconds. */
const CHARACTERS_AT_ONCE = 100_000;

/** Words of hidden channels that are looked up before others run. Somebody may have thousands. */
const WORDS_AT_ONCE = 256;

/** Looking for so many words in a block, most of which it lacks, takes as long as reading a row. */
const WORDS_A_ROW = 16;

/** Looking for so many words in a block takes as long as reading an entry. */
const WORDS_AN_ENTRY = 10;

/** Hundreds of words in a block begin with the same character. As many entries take less time to read than these. */
const FEW_ENTRIES = 64;

/** The positions in blocks that have any, and how many rows were read. */
export interface FoundHits {
  readonly hits: ReadonlyMap<number, Uint16Array>;
  readonly cost: number;
}

/** Finds what is looked up in some blocks: first what is rare, then the rest in the blocks that are left. */
export async function hitsIn(
  db: Reader,
  blocks: readonly number[],
  { words, pairs, beginning, anyOf, noneOf }: LookedUp,
): Promise<FoundHits> {
  let hits: Map<number, Uint16Array> | undefined;
  let cost = 0;
  const left = () => (hits === undefined ? blocks : [...hits.keys()]);
  const narrow = async (
    rows: readonly BlockHits[],
    positionsOf: (rows: readonly WordHits[], known: Uint16Array | undefined) => Uint16Array,
    within = left(),
  ) => {
    cost += rows.length;
    const byBlock = Map.groupBy(rows, ({ block }) => block);
    const narrowed = new Map(hits);
    let examined = 0;
    for (const block of within) {
      const own = byBlock.get(block) ?? [];
      const positions = positionsOf(own, hits?.get(block));
      if (positions.length > 0) narrowed.set(block, positions);
      else narrowed.delete(block);
      examined = (examined % CHARACTERS_AT_ONCE) + lengthOf(own);
      if (examined >= CHARACTERS_AT_ONCE) await letOthersRun();
    }
    hits = narrowed;
  };
  if (words.length > 0) {
    await narrow(await selectHits(db, blocks, words), (rows) =>
      rows.length === words.length ? withAll(rows, pairs) : new Uint16Array(),
    );
  }
  const withAny = (rows: readonly WordHits[], known: Uint16Array | undefined) =>
    known === undefined
      ? positionsIn(rows.map(hitsOf))
      : positionsWith(known, marksOf(rows.map(hitsOf)), 1);
  // What is in a block with few hits is compared instead.
  const withMore = (few: number) =>
    left().filter((block) => (hits?.get(block)?.length ?? Infinity) > few);
  const narrowByBeginning = async () => {
    if (beginning === undefined) return;
    const within = withMore(beginning.length === 1 ? FEW_ENTRIES : 0);
    await narrow(await selectBegun(db, within, beginning), withAny, within);
  };
  if (beginning?.length !== 1) await narrowByBeginning();
  for (const some of anyOf.toSorted((one, other) => one.length - other.length)) {
    const within = withMore(some.length / WORDS_AN_ENTRY);
    await narrow(await selectHits(db, within, some), withAny, within);
  }
  if (beginning?.length === 1) await narrowByBeginning();
  for (let done = 0; done < noneOf.length && left().length > 0; done += WORDS_AT_ONCE) {
    const some = noneOf.slice(done, done + WORDS_AT_ONCE);
    cost += Math.floor((some.length * left().length) / WORDS_A_ROW);
    await narrow(await selectHits(db, left(), some), (rows, known = new Uint16Array()) =>
      positionsWith(known, marksOf(rows.map(hitsOf)), 0),
    );
    await letOthersRun();
  }
  return { hits: hits ?? new Map(), cost };
}

/** The positions that all of these words have, with words of each pair that follow each other. */
function withAll(rows: readonly WordHits[], pairs: LookedUp['pairs']): Uint16Array {
  const [shortest, ...others] = rows.toSorted((one, other) => one.hits.length - other.hits.length);
  const byWord = new Map(rows.map(({ word, hits }) => [word, hits]));
  const paired = new Set(pairs.flat());
  let left = positionsIn([shortest?.hits ?? '']);
  for (const { word, hits } of others) {
    if (left.length === 0) break;
    if (!paired.has(word)) left = positionsWith(left, marksOf([hits]), 1);
  }
  for (const [before, word] of pairs) {
    if (left.length === 0) break;
    const marks = marksAfter(byWord.get(before) ?? '', byWord.get(word) ?? '');
    left = positionsWith(left, marks, 1);
  }
  return left;
}

function lengthOf(rows: readonly WordHits[]): number {
  return rows.reduce((sum, { hits }) => sum + hits.length, 0);
}

function hitsOf({ hits }: WordHits): string {
  return hits;
}
