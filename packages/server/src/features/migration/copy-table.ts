import type { Move, MovedTable } from './move.ts';
import {
  countRows,
  insertRows,
  keyOf,
  rowsIn,
  selectByKeys,
  type MovedRow,
  type TableName,
} from './store.ts';

/** Adds those of some rows that are missing in the target. */
export type AddRows = (rows: readonly MovedRow[], missing: ReadonlySet<MovedRow>) => Promise<void>;

/** Copies to the target what it does not have yet, some rows at a time: in one transaction where not told otherwise. */
export async function copyTable(
  move: Move,
  table: TableName,
  add: AddRows = (_rows, missing) => record(move, table, [...missing]),
): Promise<Omit<MovedTable, 'rowsRemoved'>> {
  const { source, signal, onProgress } = move;
  const totalRows = await countRows(source.reader, table);
  let [rows, rowsBefore] = [0, 0];
  const tell = () => onProgress({ table, doneRows: rows, totalRows, bytes: undefined });
  tell();
  for await (const batch of rowsIn(source.reader, table)) {
    signal.throwIfAborted();
    const missing = await missingOf(move, table, batch);
    await add(batch, missing);
    rows += batch.length;
    rowsBefore += batch.length - missing.size;
    tell();
  }
  return { table, rows, rowsBefore };
}

/** Adds rows to the target. */
export async function record(
  { target }: Move,
  table: TableName,
  rows: readonly MovedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await target.database.quietTransaction((writer) => insertRows(writer, table, rows));
}

async function missingOf(
  { target, isFresh }: Move,
  table: TableName,
  rows: readonly MovedRow[],
): Promise<ReadonlySet<MovedRow>> {
  if (isFresh) return new Set(rows);
  const keys = rows.map((row) => keyOf(table, row));
  const there = await selectByKeys(await target.database.reader(), table, keys);
  const known = new Set(there.map((row) => keyOf(table, row)));
  return new Set(rows.filter((row) => !known.has(keyOf(table, row))));
}
