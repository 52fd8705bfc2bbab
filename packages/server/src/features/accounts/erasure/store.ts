import { sql } from 'kysely';
import type { Writer } from '../../../ports/database/database.ts';
import { isNumeric, type TableData } from '../../../ports/database/table-data.ts';

/** Rows of a table that have an identifier in a column. */
export interface RowsOf {
  readonly table: string;
  readonly data: TableData;
  readonly column: string;
  readonly id: string;
}

/** Removes rows, at most so many. Returns how many there were. */
export async function deleteRowsOf(db: Writer, rows: RowsOf, most: number): Promise<number> {
  const keys = keyColumns(rows.data);
  const deleted = await sql`
    delete from ${sql.table(rows.table)} where (${keys}) in (
      select ${keys} from ${sql.table(rows.table)}
      where ${sql.ref(rows.column)} = ${rows.id} limit ${most}
    )`.execute(db);
  return Number(deleted.numAffectedRows ?? 0n);
}

/** Empties columns of rows, at most so many that are not empty yet. Returns how many there were. */
export async function emptyRowsOf(
  db: Writer,
  { columns, ...rows }: RowsOf & { readonly columns: readonly string[] },
  most: number,
): Promise<number> {
  const keys = keyColumns(rows.data);
  const emptyOf = (column: string) => (isNumeric(rows.data.columns[column]) ? 0 : '');
  const emptied = columns.map((column) => sql`${sql.ref(column)} = ${emptyOf(column)}`);
  const filled = columns.map((column) => sql`${sql.ref(column)} <> ${emptyOf(column)}`);
  const updated = await sql`
    update ${sql.table(rows.table)} set ${sql.join(emptied)} where (${keys}) in (
      select ${keys} from ${sql.table(rows.table)}
      where ${sql.ref(rows.column)} = ${rows.id} and (${sql.join(filled, sql` or `)})
      limit ${most}
    )`.execute(db);
  return Number(updated.numAffectedRows ?? 0n);
}

function keyColumns({ key }: TableData) {
  return sql.join(key.map((column) => sql.ref(column)));
}
