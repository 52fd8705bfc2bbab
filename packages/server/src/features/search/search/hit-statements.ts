import type { Statement } from '../../../ports/database/database.ts';
import { placesAfter } from '../../../ports/database/read-rows.ts';

/** Comes after every character. */
export const LAST_CHARACTER = '\u{10ffff}';

/** What happens to the hits that a word has already. */
export type Storing = 'replace' | 'append';

/** A table of words in blocks: the columns of its key, beside `hits`. */
interface HitTable {
  readonly table: string;
  readonly key: readonly string[];
  readonly storing: Storing;
}

/** Rows of one statement. Few sizes make few statements. */
const ROWS_AT_ONCE = [64, 8, 1] as const;

/** Statements that store rows: the values of the key of each, and then its hits. */
export function hitStatements(
  into: HitTable,
  rows: readonly (readonly (string | number)[])[],
): readonly Statement[] {
  const statements: Statement[] = [];
  let done = 0;
  for (const size of ROWS_AT_ONCE) {
    for (; rows.length - done >= size; done += size) {
      statements.push({
        text: insertText(into, size),
        values: rows.slice(done, done + size).flat(),
      });
    }
  }
  return statements;
}

function insertText({ table, key, storing }: HitTable, rows: number): string {
  const width = key.length + 1;
  const places = Array.from({ length: rows }, (_, row) => `(${placesAfter(row * width, width)})`);
  return `insert into ${table} (${key.join()}, hits) values ${places.join()}
    on conflict (${key.join()}) do update
    set hits = ${storing === 'append' ? `${table}.hits || ` : ''}excluded.hits`;
}
