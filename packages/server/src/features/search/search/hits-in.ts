import { letOthersRun } from '../../../lib/let-others-run.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { marksAfter, marksOf, positionsIn, positionsWith } from './blocks.ts';
import type { LookedUp } from './index-words.ts';
import { selectBegun, selectHits, type WordHits } from './words-store.ts';

/** Words of hidden channels that are looked up before others run. Somebody may have thousands. */
const WORDS_AT_ONCE = 256;

/** Looking for so many words in a block, most of which it lacks, takes as long as reading a row. */
const WORDS_A_ROW = 16;

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
  const narrow = (
    rows: readonly (WordHits & { readonly block: number })[],
    positionsOf: (rows: readonly WordHits[], known: Uint16Array | undefined) => Uint16Array,
  ) => {
    cost += rows.length;
    const byBlock = Map.groupBy(rows, ({ block }) => block);
    const narrowed = left().map((block) => {
      return [block, positionsOf(byBlock.get(block) ?? [], hits?.get(block))] as const;
    });
    hits = new Map(narrowed.filter(([, each]) => each.length > 0));
  };
  if (words.length > 0) {
    narrow(await selectHits(db, blocks, words), (rows) =>
      rows.length === words.length ? withAll(rows, pairs) : new Uint16Array(),
    );
  }
  const withAny = (rows: readonly WordHits[], known: Uint16Array | undefined) =>
    known === undefined
      ? positionsIn(rows.map(hitsOf))
      : positionsWith(known, marksOf(rows.map(hitsOf)), 1);
  if (beginning !== undefined) narrow(await selectBegun(db, left(), beginning), withAny);
  for (const some of anyOf) narrow(await selectHits(db, left(), some), withAny);
  for (let done = 0; done < noneOf.length && left().length > 0; done += WORDS_AT_ONCE) {
    const some = noneOf.slice(done, done + WORDS_AT_ONCE);
    cost += Math.floor((some.length * left().length) / WORDS_A_ROW);
    narrow(await selectHits(db, left(), some), (rows, known = new Uint16Array()) =>
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
  const marks = [
    ...pairs.map(([before, word]) => marksAfter(byWord.get(before) ?? '', byWord.get(word) ?? '')),
    ...others.filter(({ word }) => !paired.has(word)).map(({ hits }) => marksOf([hits])),
  ];
  const positions = positionsIn([shortest?.hits ?? '']);
  return marks.reduce((left, each) => positionsWith(left, each, 1), positions);
}

function hitsOf({ hits }: WordHits): string {
  return hits;
}
