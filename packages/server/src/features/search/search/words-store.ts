import type { Reader, Statement, Writer } from '../../../ports/database/database.ts';
import { evenly, placesAfter } from '../../../ports/database/read-rows.ts';

/** Comes after every character. */
const LAST_CHARACTER = '\u{10ffff}';

/** Rows of one statement. Few sizes make few statements. */
const ROWS_AT_ONCE = [64, 8, 1] as const;

/** The entries of a block that have some word. */
export interface WordHits {
  readonly word: string;
  readonly hits: string;
}

/** Reads the hits of words in blocks. */
export async function selectHits(
  db: Reader,
  blocks: readonly number[],
  words: readonly string[],
): Promise<readonly (WordHits & { readonly block: number })[]> {
  if (blocks.length === 0 || words.length === 0) return [];
  return await wordsIn(db, blocks).where('word', 'in', evenly(words)).execute();
}

/** Reads the hits of words with a beginning in blocks. */
export async function selectBegun(
  db: Reader,
  blocks: readonly number[],
  beginning: string,
): Promise<readonly (WordHits & { readonly block: number })[]> {
  if (blocks.length === 0) return [];
  return await wordsIn(db, blocks)
    .where('word', '>=', beginning)
    .where('word', '<=', `${beginning}${LAST_CHARACTER}`)
    .execute();
}

/** Words of a block with their hits, after one of them in the order of the index. */
export async function selectWordsAfter(
  db: Reader,
  block: number,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly WordHits[]> {
  return await wordsIn(db, [block])
    .where('word', '>', after)
    .orderBy('word')
    .limit(limit)
    .execute();
}

function wordsIn(db: Reader, blocks: readonly number[]) {
  return db
    .selectFrom('search_words')
    .select(['block', 'word', 'hits'])
    .where('block', 'in', evenly(blocks));
}

/** Statements that add hits to words of a block, or replace those that they have. */
export function wordStatements(
  block: number,
  words: readonly WordHits[],
  storing: 'append' | 'replace',
): readonly Statement[] {
  const statements: Statement[] = [];
  let done = 0;
  for (const size of ROWS_AT_ONCE) {
    for (; words.length - done >= size; done += size) {
      const rows = words.slice(done, done + size);
      const values = rows.flatMap(({ word, hits }) => [block, word, hits]);
      statements.push({ text: insertText(size, storing), values });
    }
  }
  return statements;
}

function insertText(rows: number, storing: 'append' | 'replace'): string {
  const places = Array.from({ length: rows }, (_, row) => `(${placesAfter(3 * row, 3)})`);
  return `insert into search_words (block, word, hits) values ${places.join()}
    on conflict (block, word) do update
    set hits = ${storing === 'append' ? 'search_words.hits || ' : ''}excluded.hits`;
}

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
