import { createQueryId, RawNode } from 'kysely';
import type { Reader, Statement } from './database.ts';

/** Lists of values have one of these lengths, so that few statements are kept prepared: often those of a page and one more. */
const LENGTHS = [1, 5, 20, 51, 101];

/** Fields that only plugins of the query builder read, and there are none. */
const UNREAD = { query: RawNode.createWithSql(''), queryId: createQueryId() };

/**
 * Rows of a statement, whose columns the caller knows. For what is read with each request: to build a query takes longer
 * than SQLite takes to run it.
 */
export async function readRows<Row>(
  db: Reader,
  { text, values }: Statement,
): Promise<readonly Row[]> {
  const { query, queryId } = UNREAD;
  // `CompiledQuery.raw` freezes the values, which takes as long as to bind them.
  const { rows } = await db.executeQuery<Row>({ sql: text, parameters: values, query, queryId });
  return rows;
}

/** Reads the rows of a text that ends in `in`, with the values that it has before that: completes it with a list. */
export async function readRowsIn<Row>(
  db: Reader,
  { text, values }: Statement,
  list: readonly string[],
): Promise<readonly Row[]> {
  if (list.length === 0) return [];
  const some = evenly(list);
  return await readRows<Row>(db, {
    text: `${text} (${placesAfter(values.length, some.length)})`,
    values: values.length === 0 ? some : [...values, ...some],
  });
}

/** Some values, the first one repeated, so that there are few lengths of lists. */
export function evenly<Value>(list: readonly Value[]): readonly Value[] {
  const length = lengthFor(list.length);
  const [first] = list;
  if (first === undefined || length === list.length) return list;
  const even = [...list];
  while (even.length < length) even.push(first);
  return even;
}

/** The places of so many values in a text that has some before: `$2,$3,$4`. */
export function placesAfter(before: number, count: number): string {
  let places = `$${before + 1}`;
  for (let at = 2; at <= count; at += 1) places += `,$${before + at}`;
  return places;
}

function lengthFor(count: number): number {
  return LENGTHS.find((length) => length >= count) ?? 2 ** Math.ceil(Math.log2(count));
}
