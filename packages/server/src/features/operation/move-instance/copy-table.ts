import type { Move, TableReport } from './move.ts';
import type { MovedTable } from './moved-tables.ts';
import {
  countRows,
  insertRows,
  keyOf,
  rowsIn,
  selectSame,
  deleteRows,
  type MovedRow,
} from './store.ts';

/** Adds the given rows that are missing in the target. */
export type AddRows = (rows: readonly MovedRow[], missing: ReadonlySet<MovedRow>) => Promise<void>;

/**
 * Copies to the target what it does not have yet, some rows at a time: each time in one transaction, unless `add` does
 * otherwise.
 */
export async function copyTable(
  move: Move,
  table: MovedTable,
  add: AddRows = (_rows, missing) => record(move, table, [...missing]),
): Promise<Omit<TableReport, 'rowsRemoved'>> {
  const { source, signal, onProgress } = move;
  const totalRows = await countRows(source.reader, table);
  let [rows, rowsBefore] = [0, 0];
  const report = () =>
    onProgress({ table: table.name, doneRows: rows, totalRows, bytes: undefined });
  report();
  for await (const batch of rowsIn(source.reader, table)) {
    signal.throwIfAborted();
    const missing = await missingOf(move, table, batch);
    await add(batch, missing);
    rows += batch.length;
    rowsBefore += batch.length - missing.size;
    report();
  }
  return { table: table.name, rows, rowsBefore };
}

/** Adds rows to the target. */
export async function record(
  { target }: Move,
  table: MovedTable,
  rows: readonly MovedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await target.database.transaction(({ sql }) => insertRows(sql, table, rows));
}

async function missingOf(
  { target, isFresh }: Move,
  table: MovedTable,
  rows: readonly MovedRow[],
): Promise<ReadonlySet<MovedRow>> {
  if (isFresh) return new Set(rows);
  const there = await selectSame(target.database.reader, table, rows);
  const known = new Set(there.map((row) => keyOf(table, row)));
  return new Set(rows.filter((row) => !known.has(keyOf(table, row))));
}

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
