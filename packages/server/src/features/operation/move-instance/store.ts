import { type PermissionMask, maskDigits } from '@hearth/protocol';
import { sql, type RawBuilder } from 'kysely';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import { isNumeric, type ColumnKind, type TableList } from '../../../ports/database/table-data.ts';
import { findSetting, removeSetting, writeSettings } from '../../platform/settings/settings.ts';
import type { MovedTable } from './moved-tables.ts';

/** A row as it is moved; numbers are numbers, whatever the engine makes of them. */
export type MovedRow = Readonly<Record<string, string | number | null>>;

type ReadValue = string | number | PermissionMask<string> | null;

/** The number of rows that are read and written together, unless they are large. */
const ROWS_AT_ONCE = 500;

/** The progress of the move to a database. It is noted there until an instance starts on it. */
export interface MoveNote {
  readonly instanceId: string;
  readonly state: 'unfinished' | 'finished';
  /** True if contents were copied too, by this attempt or an earlier one. */
  readonly copiesContents: boolean;
}

/** The setting that holds the note, which is itself never moved. */
const NOTE = 'migration';

/** The key of a row, as its own text. */
export function keyOf(table: MovedTable, row: MovedRow): string {
  return JSON.stringify(keyValues(table, row));
}

/** All rows in the order of this database, which need not be the order of another; some at a time. */
export async function* rowsIn(
  db: Reader,
  table: MovedTable,
): AsyncGenerator<readonly MovedRow[], void> {
  const { rowsAtOnce = ROWS_AT_ONCE } = table;
  let isAfter = sql`true`;
  for (;;) {
    const found = sql`${isAfter} and ${isMoved(table)}
      order by ${keyColumns(table)} limit ${rowsAtOnce}`;
    const rows = await rowsOf(db, table, found);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    isAfter = sql`(${keyColumns(table)}) > (${sql.join(keyValues(table, last))})`;
  }
}

/** Reads those of the given rows that exist, by their keys. */
export async function selectSame(
  db: Reader,
  table: MovedTable,
  rows: readonly MovedRow[],
): Promise<readonly MovedRow[]> {
  return rows.length === 0 ? [] : rowsOf(db, table, hasKeyOf(table, rows));
}

/** Adds rows, none of whose keys may exist. */
export async function insertRows(
  db: Writer,
  table: MovedTable,
  rows: readonly MovedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.keys(table.columns);
  const tuples = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table.name)} (${names}) values ${sql.join(tuples)}`.execute(db);
}

/** Deletes the rows with the keys of these rows. */
export async function deleteRows(
  db: Writer,
  table: MovedTable,
  rows: readonly MovedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`delete from ${sql.table(table.name)} where ${hasKeyOf(table, rows)}`.execute(db);
}

export async function deleteAll(db: Writer, table: MovedTable): Promise<void> {
  await sql`delete from ${sql.table(table.name)}`.execute(db);
}

export async function countRows(db: Reader, table: MovedTable): Promise<number> {
  const { rows } = await sql<{ count: unknown }>`
    select count(*) as count from ${sql.table(table.name)} where ${isMoved(table)}`.execute(db);
  return Number(rows[0]?.count);
}

export async function sumSizes(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('contents')
    .select(({ fn }) => fn.sum('size_bytes').as('bytes'))
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

export async function isEmpty(db: Reader, tables: TableList): Promise<boolean> {
  for (const table of Object.keys(tables)) {
    const { rows } = await sql`select 1 as found from ${sql.table(table)} limit 1`.execute(db);
    if (rows.length > 0) return false;
  }
  return true;
}

/** The id of the instance whose data these are; undefined before its first start. */
export async function selectInstanceId(db: Reader): Promise<string | undefined> {
  return findSetting(db, 'instance_id');
}

/** Reads what refers to a content: its uploads and its static files. */
export async function selectReferrers(
  db: Reader,
  blobKey: string,
): Promise<{
  readonly uploads: readonly { id: string; name: string }[];
  statics: readonly string[];
}> {
  const uploads = await db
    .selectFrom('uploads')
    .select(['id', 'name'])
    .where('blob_key', '=', blobKey)
    .orderBy('id')
    .execute();
  const statics = await db
    .selectFrom('statics')
    .select('name')
    .where('blob_key', '=', blobKey)
    .orderBy('name')
    .execute();
  return { uploads, statics: statics.map(({ name }) => name) };
}

/** The note of a move to this database. */
export async function selectNote(db: Reader): Promise<MoveNote | undefined> {
  const value = await findSetting(db, NOTE);
  return value === undefined ? undefined : noteOf(value);
}

export async function writeNote(db: Writer, note: MoveNote): Promise<void> {
  await writeSettings(db, [{ name: NOTE, value: JSON.stringify(note) }]);
}

/** Deletes the note that the data were moved here. */
export async function deleteNote(db: Writer): Promise<void> {
  await removeSetting(db, NOTE);
}

async function rowsOf(
  db: Reader,
  table: MovedTable,
  condition: RawBuilder<unknown>,
): Promise<readonly MovedRow[]> {
  const columns = sql.join(Object.keys(table.columns).map((column) => sql.ref(column)));
  // Guarantee: tables hold nothing else.
  const { rows } = await sql<Readonly<Record<string, ReadValue>>>`
    select ${columns} from ${sql.table(table.name)} where ${condition}`.execute(db);
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(table.columns).map(([column, kind]) => [
        column,
        movedValue(row[column] ?? null, kind),
      ]),
    ),
  );
}

function movedValue(value: ReadValue, kind: ColumnKind): string | number | null {
  if (value === null) return null;
  if (typeof value === 'object') return maskDigits(value);
  return isNumeric(kind) ? Number(value) : String(value);
}

function keyColumns({ key }: MovedTable): RawBuilder<unknown> {
  return sql.join(key.map((column) => sql.ref(column)));
}

function keyValues({ key }: MovedTable, row: MovedRow): readonly (string | number)[] {
  return key.map((column) => row[column] ?? '');
}

// PostgreSQL takes values in a list of rows for texts unless they are cast.
function hasKeyOf(table: MovedTable, rows: readonly MovedRow[]): RawBuilder<unknown> {
  const types = table.key.map((column) =>
    isNumeric(table.columns[column]) ? sql`bigint` : sql`text`,
  );
  const keys = rows.map((row) => {
    const values = keyValues(table, row).map((value, i) => sql`cast(${value} as ${types[i]})`);
    return sql`(${sql.join(values)})`;
  });
  return sql`(${keyColumns(table)}) in (values ${sql.join(keys)})`;
}

function isMoved({ name }: MovedTable): RawBuilder<unknown> {
  return name === 'settings' ? sql`name <> ${NOTE}` : sql`true`;
}

// Guarantee: what is noted was made from a note.
function noteOf(value: string): MoveNote {
  return JSON.parse(value) as MoveNote;
}
