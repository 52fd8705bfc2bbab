import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { tempFolder } from '@hearth/testing/temp-folder';
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { sql } from 'kysely';
import { join } from 'node:path';
import type { Reader } from './ports/database/database.ts';
import { sqliteDatabase } from './engines/databases.ts';
import { isNumeric, type TableData } from './ports/database/table-data.ts';
import { MIGRATIONS, TABLES } from './schema.ts';
import { STORED_FORMAT } from './ports/stored-format.ts';

const FIRST = '001-first';

/** The format, and the digest of the tables that its first migration makes. Instances that have them exist. */
const MADE_FIRST = {
  format: 8,
  digest: 'fa2fdb8967323aa83e6014641622da22287246810a11f6d29b8837f69982f252',
};

/** The description of its tables that a database reports, except those of the migrator. */
type Live = Record<string, Pick<TableData, 'columns' | 'key' | 'refersTo'>>;

interface LiveColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** Its place in the primary key, from 1. */
  readonly place: number | null;
  readonly refersTo: string | null;
}

const IN_SQLITE = sql<LiveColumn>`
  select m.name as "table", c.name as "column", lower(c.type) as "type", c.pk as "place",
    f."table" as "refersTo"
  from sqlite_schema m join pragma_table_info(m.name) c
    left join pragma_foreign_key_list(m.name) f on f."from" = c.name
  where m.type = 'table' and m.name not like 'kysely%' and m.name not like 'sqlite%'`;

const IN_POSTGRES = sql<LiveColumn>`
  select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as "type",
    array_position(p.conkey, a.attnum) as "place", f.confrelid::regclass::text as "refersTo"
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
    left join pg_constraint f on f.conrelid = c.oid and f.contype = 'f' and a.attnum = any(f.conkey)
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'`;

async function liveTables(reader: Reader): Promise<Live> {
  const { rows } = await IN_POSTGRES.execute(reader).catch(() => IN_SQLITE.execute(reader));
  const live: Live = {};
  for (const name of new Set(rows.map(({ table }) => table))) {
    const columns = rows.filter(({ table }) => table === name);
    const key = columns.filter(({ place }) => (place ?? 0) > 0);
    live[name] = {
      columns: Object.fromEntries(
        columns.map(({ column, type }) => [column, type === 'text' ? 'text' : 'number']),
      ),
      key: key.toSorted((a, b) => Number(a.place) - Number(b.place)).map(({ column }) => column),
      refersTo: [...new Set(columns.flatMap(({ refersTo }) => refersTo ?? []))].toSorted(),
    };
  }
  return live;
}

function storedAs(columns: TableData['columns']): TableData['columns'] {
  return Object.fromEntries(
    Object.entries(columns).map(([column, kind]) => [column, isNumeric(kind) ? 'number' : 'text']),
  );
}

/** Returns what the features' descriptions say about their tables. */
function describedTables(): Live {
  const described = Object.entries<TableData>(TABLES).map(([name, { columns, key, refersTo }]) => [
    name,
    { columns: storedAs(columns), key, refersTo: [...(refersTo ?? [])].toSorted() },
  ]);
  return Object.fromEntries(described);
}

onEachDatabase((open) => {
  test('the description of tables is what the schema says: every table and column, keys and references', async () => {
    await using database = await open();
    expect(await liveTables(database.reader)).toEqual(describedTables());
  });
});

test('a column of identifiers, masks or moments has a name that no column of another kind has', () => {
  const kinds = Object.values<TableData>(TABLES).flatMap(({ columns }) => Object.entries(columns));
  for (const [name, of] of Map.groupBy(kinds, ([column]) => column)) {
    const found = new Set(of.map(([, kind]) => kind));
    const isPlain = found.isSubsetOf(new Set(['text', 'number']));
    expect(isPlain ? [] : [name, ...found], name).toHaveLength(isPlain ? 0 : 2);
    if (/^id$|_id$/.test(name)) expect([name, ...found]).toEqual([name, 'id']);
  }
});

test('the first migration makes the same tables as ever', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'hearth.sqlite');
  const first = { [FIRST]: MIGRATIONS[FIRST] ?? expect.unreachable() };
  await (await sqliteDatabase(path, { migrations: first }))[Symbol.asyncDispose]();
  using file = new Database(path);
  const made = file.query(
    "select sql from sqlite_schema where tbl_name not like 'kysely%' order by name",
  );
  const digest = new Bun.CryptoHasher('sha256').update(JSON.stringify(made.values())).digest('hex');
  expect(
    { format: STORED_FORMAT, digest },
    'A database runs it once: write another migration, with the next free number, or raise STORED_FORMAT.',
  ).toEqual(MADE_FIRST);
});
