import { letOthersRun } from '../../../lib/let-others-run.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { hitsInAll, hitsWithout } from './blocks.ts';
import type { LookedUp } from './index-words.ts';
import { selectBegun, selectHits, type WordHits } from './words-store.ts';

/** Words of hidden channels that are looked up before others run. Somebody may have thousands. */
const WORDS_AT_ONCE = 256;

/** Looking for so many words in a block, most of which it lacks, takes as long as reading a row. */
const WORDS_A_ROW = 16;

/** The hits of blocks that have any, and how many rows were read. */
export interface FoundHits {
  readonly hits: ReadonlyMap<number, string>;
  readonly cost: number;
}

/** Finds what is looked up in some blocks: first what is rare, then the rest in the blocks that are left. */
export async function hitsIn(
  db: Reader,
  blocks: readonly number[],
  { words, beginning, anyOf, noneOf }: LookedUp,
): Promise<FoundHits> {
  let hits: Map<number, string> | undefined;
  let cost = 0;
  const left = () => (hits === undefined ? blocks : [...hits.keys()]);
  const narrow = (
    rows: readonly (WordHits & { readonly block: number })[],
    hitsOf: (texts: readonly string[], known: readonly string[]) => string,
  ) => {
    cost += rows.length;
    const byBlock = Map.groupBy(rows, ({ block }) => block);
    const narrowed = left().map((block) => {
      const texts = (byBlock.get(block) ?? []).map((row) => row.hits);
      const known = hits?.get(block);
      return [block, hitsOf(texts, known === undefined ? [] : [known])] as const;
    });
    hits = new Map(narrowed.filter(([, each]) => each !== ''));
  };
  if (words.length > 0) {
    narrow(await selectHits(db, blocks, words), (texts) =>
      texts.length === words.length ? hitsInAll(texts) : '',
    );
  }
  if (beginning !== undefined) {
    narrow(await selectBegun(db, left(), beginning), (texts, known) =>
      hitsInAll([texts.join(''), ...known]),
    );
  }
  for (const some of anyOf) {
    narrow(await selectHits(db, left(), some), (texts, known) =>
      hitsInAll([texts.join(''), ...known]),
    );
  }
  for (let done = 0; done < noneOf.length && left().length > 0; done += WORDS_AT_ONCE) {
    const some = noneOf.slice(done, done + WORDS_AT_ONCE);
    cost += Math.floor((some.length * left().length) / WORDS_A_ROW);
    narrow(await selectHits(db, left(), some), (texts, [known = '']) =>
      hitsWithout(known, texts.join('')),
    );
    await letOthersRun();
  }
  return { hits: hits ?? new Map(), cost };
}
