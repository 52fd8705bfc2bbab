import { createQueryId, RawNode } from 'kysely';
import type { Reader, Statement } from './database.ts';

/** Lists of values have one of these lengths, so that few statements are kept prepared. */
const LENGTHS = [1, 5, 20, 50, 100];

/**
 * Rows of a statement, whose columns the caller knows. For what is read with each request: to build a query takes longer
 * than SQLite takes to run it.
 */
export async function readRows<Row>(
  db: Reader,
  { text, values }: Statement,
): Promise<readonly Row[]> {
  // `CompiledQuery.raw` freezes the values, which takes as long as to bind them.
  const query = { sql: text, parameters: values, query: RawNode.createWithSql(text) };
  const { rows } = await db.executeQuery<Row>({ ...query, queryId: createQueryId() });
  return rows;
}

/** The same for a text that ends in `in`, with the values that it has before that: completes it with a list. */
export async function readRowsIn<Row>(
  db: Reader,
  { text, values }: Statement,
  list: readonly string[],
): Promise<readonly Row[]> {
  const [first] = list;
  if (first === undefined) return [];
  const length = lengthFor(list.length);
  const places = Array.from({ length }, (_, at) => `$${values.length + at + 1}`);
  const others = Array.from({ length: length - list.length }, () => first);
  const statement = { text: `${text} (${places.join()})`, values: [...values, ...list, ...others] };
  return await readRows<Row>(db, statement);
}

function lengthFor(count: number): number {
  return LENGTHS.find((length) => length >= count) ?? 2 ** Math.ceil(Math.log2(count));
}
