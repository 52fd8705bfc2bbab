import type { Move } from './move.ts';
import type { MovedTable } from './moved-tables.ts';
import { deleteRows, keyOf, rowsIn, selectSame, type MovedRow } from './store.ts';

/** Deletes from the target what the source does not have, or has otherwise. Returns how many rows that were. */
export async function pruneTable(move: Move, table: MovedTable): Promise<number> {
  const { source, target, signal } = move;
  let removed = 0;
  for await (const rows of rowsIn(target.database.reader, table)) {
    signal.throwIfAborted();
    const kept = new Map(
      (await selectSame(source.reader, table, rows)).map((row) => [keyOf(table, row), row]),
    );
    const stale = rows.filter((row) => !isSame(row, kept.get(keyOf(table, row))));
    if (stale.length === 0) continue;
    // Before its record, by which the next attempt would find it.
    if (table.name === 'contents') {
      for (const row of stale) await target.blobs?.remove(String(row['blob_key']));
    }
    await target.database.transaction(({ sql }) => deleteRows(sql, table, stale));
    removed += stale.length;
  }
  return removed;
}

function isSame(row: MovedRow, other: MovedRow | undefined): boolean {
  return (
    other !== undefined && Object.entries(row).every(([column, value]) => other[column] === value)
  );
}
