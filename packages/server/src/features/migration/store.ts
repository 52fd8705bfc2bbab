import { sql } from 'kysely';
import type { Database, Reader, Writer } from '../../ports/database/database.ts';
import type { Tables } from '../../ports/database/tables.ts';

/** A table by its name. */
export type TableName = keyof Tables;

/** A row as it is moved; numbers are numbers whatever the engine makes of them. */
export type MovedRow = Readonly<Record<string, string | number>>;

interface Shape<Row> {
  readonly key: keyof Row & string;
  readonly columns: {
    readonly [Column in keyof Row]: Row[Column] extends number ? 'number' : 'text';
  };
  /** How many rows are read and written together: all of them are in memory, and one statement. */
  readonly rowsAtOnce: number;
}

const SHAPES: { readonly [Name in TableName]: Shape<Tables[Name]> } = {
  contents: {
    key: 'blob_key',
    columns: {
      blob_key: 'text',
      bucket: 'text',
      sha256: 'text',
      size_bytes: 'number',
      content_type: 'text',
      metadata: 'text',
    },
    rowsAtOnce: 64,
  },
  discarded_blobs: { key: 'blob_key', columns: { blob_key: 'text' }, rowsAtOnce: 500 },
  uploads: {
    key: 'id',
    columns: {
      id: 'text',
      bucket: 'text',
      blob_key: 'text',
      name: 'text',
      spoiler: 'number',
      uploaded_at_ms: 'number',
    },
    rowsAtOnce: 500,
  },
  statics: {
    key: 'name',
    columns: { name: 'text', blob_key: 'text', content_type: 'text', added_at_ms: 'number' },
    rowsAtOnce: 500,
  },
  message_groups: {
    key: 'first_id',
    columns: {
      first_id: 'text',
      last_id: 'text',
      last_number: 'number',
      newest_ms: 'number',
      messages: 'text',
    },
    // Of these one has many kilobytes.
    rowsAtOnce: 16,
  },
  settings: { key: 'name', columns: { name: 'text', value: 'text' }, rowsAtOnce: 500 },
};

/** How far the move to a database is. It is noted there until an instance starts on it. */
export interface MoveNote {
  readonly instanceId: string;
  readonly state: 'unfinished' | 'finished';
  /** Whether contents were copied too, by this attempt or an earlier one. */
  readonly copiesContents: boolean;
}

/** The setting that holds the note, which is itself never moved. */
const NOTE = 'migration';

/** What a row is found by. */
export function keyOf(table: TableName, row: MovedRow): string {
  return String(row[SHAPES[table].key]);
}

/** All rows in the order of this database, which need not be that of another; some at a time. */
export async function* rowsIn(
  db: Reader,
  table: TableName,
): AsyncGenerator<readonly MovedRow[], void> {
  let after: string | undefined;
  for (;;) {
    const rows = await selectAfter(db, table, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = keyOf(table, last);
  }
}

async function selectAfter(
  db: Reader,
  table: TableName,
  after: string | undefined,
): Promise<readonly MovedRow[]> {
  const { rowsAtOnce } = SHAPES[table];
  const key = sql.ref(SHAPES[table].key);
  const isBehind = after === undefined ? sql`true` : sql`${key} > ${after}`;
  return rowsOf(
    db,
    table,
    sql`${isBehind} and ${isMoved(table)} order by ${key} limit ${rowsAtOnce}`,
  );
}

/** The rows with these keys. */
export async function selectByKeys(
  db: Reader,
  table: TableName,
  keys: readonly string[],
): Promise<readonly MovedRow[]> {
  if (keys.length === 0) return [];
  return rowsOf(db, table, sql`${sql.ref(SHAPES[table].key)} in (${sql.join(keys)})`);
}

/** Adds rows, none of whose keys may be there. */
export async function insertRows(
  db: Writer,
  table: TableName,
  rows: readonly MovedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = columnsOf(table);
  const tuples = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(tuples)}`.execute(db);
}

/** Deletes the rows with these keys. */
export async function deleteRows(
  db: Writer,
  table: TableName,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  const key = sql.ref(SHAPES[table].key);
  await sql`delete from ${sql.table(table)} where ${key} in (${sql.join(keys)})`.execute(db);
}

/** Deletes all rows. */
export async function deleteAll(db: Writer, table: TableName): Promise<void> {
  await sql`delete from ${sql.table(table)}`.execute(db);
}

/** How many rows are to be moved. */
export async function countRows(db: Reader, table: TableName): Promise<number> {
  const { rows } = await sql<{ count: unknown }>`
    select count(*) as count from ${sql.table(table)} where ${isMoved(table)}`.execute(db);
  return Number(rows[0]?.count);
}

/** The bytes of all contents. */
export async function sumSizes(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('contents')
    .select(({ fn }) => fn.sum('size_bytes').as('bytes'))
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

/** Whether there is nothing in any table. */
export async function isEmpty(db: Reader): Promise<boolean> {
  for (const table of Object.keys(SHAPES)) {
    const { rows } = await sql`select 1 as found from ${sql.table(table)} limit 1`.execute(db);
    if (rows.length > 0) return false;
  }
  return true;
}

/** The id of the instance whose data these are; undefined before its first start. */
export async function selectInstanceId(db: Reader): Promise<string | undefined> {
  return selectSetting(db, 'instance_id');
}

/** What refers to a content: its uploads and its static files. */
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
export async function readNote(database: Database): Promise<MoveNote | undefined> {
  const [row] = await database.rows(`select value from settings where name = '${NOTE}'`);
  return row === undefined ? undefined : noteOf(String(row['value']));
}

/** The same within a transaction. */
export async function selectNote(db: Reader): Promise<MoveNote | undefined> {
  const value = await selectSetting(db, NOTE);
  return value === undefined ? undefined : noteOf(value);
}

/** Notes how far the move is. */
export async function writeNote(db: Writer, note: MoveNote): Promise<void> {
  const value = JSON.stringify(note);
  await db
    .insertInto('settings')
    .values({ name: NOTE, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Forgets that the data were moved here. */
export async function deleteNote(db: Writer): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', NOTE).execute();
}

async function selectSetting(db: Reader, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value;
}

async function rowsOf(
  db: Reader,
  table: TableName,
  condition: ReturnType<typeof sql>,
): Promise<readonly MovedRow[]> {
  const columns = sql.join(columnsOf(table).map((column) => sql.ref(column)));
  const { rows } = await sql<Readonly<Record<string, unknown>>>`
    select ${columns} from ${sql.table(table)} where ${condition}`.execute(db);
  const kinds: Readonly<Record<string, 'text' | 'number'>> = SHAPES[table].columns;
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(kinds).map(([column, kind]) => {
        const value = row[column];
        return [column, kind === 'number' ? Number(value) : String(value)];
      }),
    ),
  );
}

function columnsOf(table: TableName): readonly string[] {
  return Object.keys(SHAPES[table].columns);
}

function isMoved(table: TableName) {
  return table === 'settings' ? sql`name <> ${NOTE}` : sql`true`;
}

// Guarantee: what is noted was made of a note.
function noteOf(value: string): MoveNote {
  return JSON.parse(value) as MoveNote;
}
