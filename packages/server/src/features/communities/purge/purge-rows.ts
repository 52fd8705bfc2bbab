import type { Database } from '../../../ports/database/database.ts';
import type { TableList } from '../../../ports/database/table-data.ts';
import { deleteRows } from './store.ts';

/** Rows of one transaction, so that other writers never wait long. */
const ROWS_AT_ONCE = 1_000;

interface PurgedRows {
  readonly of: 'community' | 'channel';
  readonly id: string;
  readonly signal: AbortSignal;
}

/** Removes the rows of all tables that belong to a community or channel, as the tables say. It can be interrupted and repeated. */
export async function purgeRows(
  database: Pick<Database, 'transaction'>,
  tables: TableList,
  { of, id, signal }: PurgedRows,
): Promise<void> {
  // What refers to something goes before it.
  for (const [table, data] of Object.entries(tables).toReversed()) {
    const column = data.removedWith?.[of];
    if (column === undefined) continue;
    const rows = { table, data, column, value: id };
    for (let done = ROWS_AT_ONCE; done === ROWS_AT_ONCE;) {
      signal.throwIfAborted();
      done = await database.transaction(({ sql }) => deleteRows(sql, rows, ROWS_AT_ONCE));
    }
  }
}
