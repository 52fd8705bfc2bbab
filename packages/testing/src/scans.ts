import { Database } from 'bun:sqlite';
import type { TestDatabase } from './servers/each-database.ts';

/** Steps of SQLite's plans for queries that read all of a table or of an index; none on PostgreSQL, whose plans follow the data. */
export function scansOf(
  { address }: Pick<TestDatabase, 'address'>,
  queries: readonly string[],
): readonly string[] {
  if (address.engine !== 'sqlite') return [];
  using file = new Database(address.path, { readonly: true });
  return queries.flatMap((text) =>
    file
      .query<{ readonly detail: string }, []>(`explain query plan ${text}`)
      .all()
      .map(({ detail }) => detail)
      .filter((detail) => detail.startsWith('SCAN')),
  );
}
