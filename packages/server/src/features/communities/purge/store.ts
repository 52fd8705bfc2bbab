import { sql } from 'kysely';
import type { Writer } from '../../../ports/database/database.ts';
import type { TableData } from '../../../ports/database/table-data.ts';

/** Rows of a table that have a value in a column. */
export interface Rows {
  readonly table: string;
  readonly data: TableData;
  readonly column: string;
  readonly value: string;
}

/** Removes rows, at most so many. Returns how many there were. */
export async function deleteRows(
  db: Writer,
  { table, data, column, value }: Rows,
  most: number,
): Promise<number> {
  const keys = sql.join(data.key.map((each) => sql.ref(each)));
  const deleted = await sql`
    delete from ${sql.table(table)} where (${keys}) in (
      select ${keys} from ${sql.table(table)} where ${sql.ref(column)} = ${value} limit ${most}
    )`.execute(db);
  return Number(deleted.numAffectedRows ?? 0n);
}
