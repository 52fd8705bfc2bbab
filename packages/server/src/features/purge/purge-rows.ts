import type { Database } from '../../ports/database/database.ts';
import type { TableData } from '../../ports/database/table-data.ts';
import { TABLES } from '../../schema.ts';
import { deleteRows } from './store.ts';

/** Rows of one transaction, so that other writers never wait long. */
const ROWS_AT_ONCE = 1_000;

/** Removes the rows of all tables that belong to a community or channel, as the tables say. It can be interrupted and repeated. */
export async function purgeRows(
  database: Pick<Database, 'transaction'>,
  of: 'community' | 'channel',
  { id, signal }: { readonly id: string; readonly signal: AbortSignal },
): Promise<void> {
  // What refers to something goes before it.
  const tables: readonly (readonly [string, TableData])[] = Object.entries(TABLES).toReversed();
  for (const [table, data] of tables) {
    const column = data.removedWith?.[of];
    if (column === undefined) continue;
    const rows = { table, data, column, value: id };
    for (let done = ROWS_AT_ONCE; done === ROWS_AT_ONCE;) {
      signal.throwIfAborted();
      done = await database.transaction(({ sql }) => deleteRows(sql, rows, ROWS_AT_ONCE));
    }
  }
}
