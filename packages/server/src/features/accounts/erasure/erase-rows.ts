import type { Database } from '../../../ports/database/database.ts';
import type { TableList } from '../../../ports/database/table-data.ts';
import { deletePersonRows, emptyPersonRows } from './store.ts';

/** Rows of one transaction, so that other writers never wait long. */
const ROWS_AT_ONCE = 1_000;

/** Removes or empties the rows of all tables that name a person, as the tables say. It can be interrupted and repeated. */
export async function eraseRows(
  database: Pick<Database, 'transaction'>,
  tables: TableList,
  { personId, signal }: { readonly personId: string; readonly signal: AbortSignal },
): Promise<void> {
  // What refers to something goes before it.
  for (const [table, data] of Object.entries(tables).toReversed()) {
    for (const [column, erasure] of Object.entries(data.people ?? {})) {
      if (erasure === undefined || erasure.rows === 'kept') continue;
      const rows = { table, data, column, personId };
      for (let done = ROWS_AT_ONCE; done === ROWS_AT_ONCE;) {
        signal.throwIfAborted();
        done = await database.transaction(({ sql }) =>
          erasure.rows === 'removed'
            ? deletePersonRows(sql, rows, ROWS_AT_ONCE)
            : emptyPersonRows(sql, { ...rows, columns: erasure.columns }, ROWS_AT_ONCE),
        );
      }
    }
  }
}
