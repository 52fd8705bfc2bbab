import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import { evenly, placesAfter, readRows } from '../../../ports/database/read-rows.ts';

/** Comes after every character. */
const LAST_CHARACTER = '\u{10ffff}';

/** The entries of a block that have some word. */
export interface WordHits {
  readonly word: string;
  readonly hits: string;
}

/** The hits of a word in a block. */
export type BlockHits = WordHits & { readonly block: number };

const HITS = 'select block, word, hits from search_words where block in';

/** Reads the hits of words in blocks. */
export async function selectHits(
  db: Reader,
  blocks: readonly number[],
  words: readonly string[],
): Promise<readonly BlockHits[]> {
  if (blocks.length === 0 || words.length === 0) return [];
  const [some, sought] = [evenly(blocks), evenly(words)];
  const places = placesAfter(some.length, sought.length);
  const text = `${HITS} (${placesAfter(0, some.length)}) and word in (${places})`;
  return await readRows(db, { text, values: [...some, ...sought] });
}

/** Reads the hits of words with a beginning in blocks. */
export async function selectBegun(
  db: Reader,
  blocks: readonly number[],
  beginning: string,
): Promise<readonly BlockHits[]> {
  if (blocks.length === 0) return [];
  const some = evenly(blocks);
  const [least, most] = [some.length + 1, some.length + 2];
  const text = `${HITS} (${placesAfter(0, some.length)}) and word >= $${least} and word <= $${most}`;
  return await readRows(db, {
    text,
    values: [...some, beginning, `${beginning}${LAST_CHARACTER}`],
  });
}

/** Words of a block with their hits, after one of them in the order of the index. */
export async function selectWordsAfter(
  db: Reader,
  block: number,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly WordHits[]> {
  return await db
    .selectFrom('search_words')
    .select(['word', 'hits'])
    .where('block', '=', block)
    .where('word', '>', after)
    .orderBy('word')
    .limit(limit)
    .execute();
}

/** Adds hits to words of a block, or replaces those that they have. */
export async function storeWords(
  tx: Transaction,
  { block, words, storing }: StoredWords,
): Promise<void> {
  if (words.length === 0) return;
  await tx.runMany({
    text: STORE[storing],
    columns: { block: 'bigint', word: 'text', hits: 'text' },
    rows: words.map(({ word, hits }) => [block, word, hits]),
  });
}

interface StoredWords {
  readonly block: number;
  readonly words: readonly WordHits[];
  readonly storing: keyof typeof STORE;
}

const INSERT = `insert into search_words (block, word, hits) select block, word, hits from given where true
  on conflict (block, word) do update set hits =`;

const STORE = {
  append: `${INSERT} search_words.hits || excluded.hits`,
  replace: `${INSERT} excluded.hits`,
} as const;

/** Forgets words of a block. */
export async function deleteWords(
  db: Writer,
  block: number,
  words: readonly string[],
): Promise<void> {
  if (words.length === 0) return;
  await db
    .deleteFrom('search_words')
    .where('block', '=', block)
    .where('word', 'in', evenly(words))
    .execute();
}
