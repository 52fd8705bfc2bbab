import type { Id, SplitWords } from '@hearth/protocol';
import type { Reader, Transaction } from '../../../ports/database/database.ts';
import { wordsOf, type Words } from './add-entries.ts';
import { hitsWhere } from './blocks.ts';
import type { PlacedWords } from './index-words.ts';
import { readSome } from './read-some.ts';
import { wordsInTurns } from './split-text.ts';
import {
  noteCorrected,
  selectOutdated,
  selectOutdatedAt,
  type Located,
  type OutdatedBlock,
} from './store.ts';
import { deleteWords, selectWordsAfter, storeWords } from './words-store.ts';

/** Words of one transaction. A block has about twice as many as entries. */
const WORDS_A_STEP = 1_000;

/** Changed entries whose words are corrected at once, and their characters. */
const MOST_CHANGED = 200;
const MOST_CHARACTERS = 400_000;

/** A block from which hits are removed that it should not have. */
export interface Correction extends OutdatedBlock {
  /** The positions of entries that are still there. */
  readonly live: ReadonlySet<number>;
  /** Entries that have other words than before, by their positions. */
  readonly changed: ReadonlyMap<number, Located & { readonly outdated: number }>;
  /** The words that these have now. */
  readonly words: Words;
  readonly isAll: boolean;
}

/** Reads which entries of a block were changed or removed. */
export async function readCorrection(
  db: Reader,
  block: OutdatedBlock,
  split: SplitWords,
): Promise<Correction> {
  const entries = await selectOutdated(db, block.block);
  const all = entries.filter(({ outdated }) => outdated > 0);
  const words = new Map<Id, PlacedWords>();
  const end = Math.min(all.length, MOST_CHANGED);
  const inTurns = (text: string) => wordsInTurns(text, split);
  let [count, characters] = [0, 0];
  while (count < end && characters < MOST_CHARACTERS) {
    const { done, entries: read } = await readSome(db, all.slice(count, end));
    for (const [id, own] of await wordsOf(db, read, inTurns)) words.set(id, own);
    count += done.length;
    characters += read.reduce((sum, { text }) => sum + text.length, 0);
  }
  return {
    ...block,
    live: new Set(entries.map(({ position }) => position)),
    changed: new Map(all.slice(0, count).map((entry) => [entry.position, entry])),
    words,
    isAll: count === all.length,
  };
}

/**
 * Corrects the next words of a block, in a transaction that has locked the state. Returns up to which word, or undefined if that was
 * the last one.
 */
export async function correctWords(
  tx: Transaction,
  { block, positions, live, changed, words, ...correction }: Correction,
  after: string,
): Promise<string | undefined> {
  const now = await selectOutdatedAt(tx.sql, block, [...changed.keys()]);
  // One that was changed since has other words, and is corrected later.
  const known = new Set(
    now.flatMap(({ position, outdated }) =>
      changed.get(position)?.outdated === outdated ? [position] : [],
    ),
  );
  const rows = await selectWordsAfter(tx.sql, block, { after, limit: WORDS_A_STEP });
  const corrected = rows.flatMap(({ word, hits: before }) => {
    const hits = hitsWhere(before, (position) => {
      // What was added since is as it should be.
      if (position >= positions) return true;
      const entry = changed.get(position);
      if (entry === undefined || !known.has(position)) return live.has(position);
      return words.get(entry.id)?.has(word) === true;
    });
    return hits.length === before.length ? [] : [{ word, hits }];
  });
  const [empty, left] = [corrected.filter(isEmpty), corrected.filter((row) => !isEmpty(row))];
  await storeWords(tx, { block, words: left, storing: 'replace' });
  await deleteWords(
    tx.sql,
    block,
    empty.map(({ word }) => word),
  );
  if (rows.length === WORDS_A_STEP) return rows.at(-1)?.word;
  const outdated = correction.isAll ? correction.outdated : 0;
  await noteCorrected(tx.sql, { block, outdated }, [...changed.values()]);
  return undefined;
}

function isEmpty({ hits }: { readonly hits: string }): boolean {
  return hits === '';
}
