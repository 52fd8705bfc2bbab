import type { Id, SplitWords } from '@hearth/protocol';
import type { Reader, Transaction } from '../../../ports/database/database.ts';
import { wordsOf } from './add-entries.ts';
import { hitsWhere } from './blocks.ts';
import { readEntries } from './entries.ts';
import { noteCorrected, selectOutdated, type Located, type OutdatedBlock } from './store.ts';
import { deleteWords, selectWordsAfter, wordStatements } from './words-store.ts';

/** Words of one transaction. A block has about twice as many as entries. */
const WORDS_A_STEP = 1_000;

/** Changed entries whose words are corrected at once. */
const MOST_CHANGED = 200;

/** A block from which hits are removed that it should not have. */
export interface Correction extends OutdatedBlock {
  /** The positions of entries that are still there. */
  readonly live: ReadonlySet<number>;
  /** Entries that have other words than before, by their positions. */
  readonly changed: ReadonlyMap<number, Located & { readonly outdated: number }>;
  readonly isAll: boolean;
}

/** Reads which entries of a block were changed or removed. */
export async function readCorrection(db: Reader, block: OutdatedBlock): Promise<Correction> {
  const entries = await selectOutdated(db, block.block);
  const changed = entries.filter(({ outdated }) => outdated > 0);
  return {
    ...block,
    live: new Set(entries.map(({ position }) => position)),
    changed: new Map(changed.slice(0, MOST_CHANGED).map((entry) => [entry.position, entry])),
    isAll: changed.length <= MOST_CHANGED,
  };
}

/**
 * Corrects the next words of a block, in a transaction that has locked the state. Returns up to which word, or undefined if that was
 * the last one.
 */
export async function correctWords(
  tx: Transaction,
  { block, positions, live, changed, ...correction }: Correction,
  { after, split }: { readonly after: string; readonly split: SplitWords },
): Promise<string | undefined> {
  const entries = await readEntries(tx.sql, [...changed.values()]);
  const words = await wordsOf(tx, entries, split);
  const hasWord = (id: Id, word: string) => words.get(id)?.has(word) === true;
  const rows = await selectWordsAfter(tx.sql, block, { after, limit: WORDS_A_STEP });
  const corrected = rows.flatMap(({ word, hits: before }) => {
    const hits = hitsWhere(before, (position) => {
      // What was added since is as it should be.
      if (position >= positions) return true;
      const entry = changed.get(position);
      return live.has(position) && (entry === undefined || hasWord(entry.id, word));
    });
    return hits.length === before.length ? [] : [{ word, hits }];
  });
  const [empty, left] = [corrected.filter(isEmpty), corrected.filter((row) => !isEmpty(row))];
  for (const statement of wordStatements(block, left, 'replace')) await tx.run(statement);
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
