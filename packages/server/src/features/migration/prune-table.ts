import type { Move } from './move.ts';
import { deleteRows, keyOf, rowsIn, selectByKeys, type MovedRow, type TableName } from './store.ts';

/** Deletes from the target what the source does not have, or has otherwise. Tells how many rows that were. */
export async function pruneTable(move: Move, table: TableName): Promise<number> {
  const { source, target, signal } = move;
  let removed = 0;
  for await (const rows of rowsIn(await target.database.reader(), table)) {
    signal.throwIfAborted();
    const keys = rows.map((row) => keyOf(table, row));
    const kept = new Map(
      (await selectByKeys(source.reader, table, keys)).map((row) => [keyOf(table, row), row]),
    );
    const stale = rows
      .filter((row) => !isSame(row, kept.get(keyOf(table, row))))
      .map((row) => keyOf(table, row));
    if (stale.length === 0) continue;
    // Before its record, by which the next attempt would find it.
    if (table === 'contents') for (const key of stale) await target.blobs?.remove(key);
    await target.database.quietTransaction((writer) => deleteRows(writer, table, stale));
    removed += stale.length;
  }
  return removed;
}

function isSame(row: MovedRow, other: MovedRow | undefined): boolean {
  return (
    other !== undefined && Object.entries(row).every(([column, value]) => other[column] === value)
  );
}
