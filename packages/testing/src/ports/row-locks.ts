import { sql } from 'kysely';
import type { Reader } from '../../../server/src/ports/database/database.ts';

/** A lock on rows of a table, as PostgreSQL takes it. */
export interface RowLock {
  readonly table: string;
  readonly strength: 'key share' | 'share' | 'no key update' | 'update';
}

/** Keys of tables, and their columns that refer to others: they decide which rows a statement locks, and how. */
export interface TableKeys {
  /** The tables that a column refers to, by the name of its table, a dot, and its own name. */
  readonly references: ReadonlyMap<string, readonly string[]>;
  /** Columns that others may refer to, written in the same way: to change one locks the row as its removal does. */
  readonly keys: ReadonlySet<string>;
  /** The tables that others refer to. In the rest, nothing shares keys, and the two strongest locks are the same. */
  readonly referred: ReadonlySet<string>;
}

/** Reads them from PostgreSQL. */
export async function readTableKeys(db: Reader): Promise<TableKeys> {
  const references = await sql<{ readonly own: string; readonly other: string }>`
    select c.conrelid::regclass || '.' || a.attname as own, c.confrelid::regclass::text as other
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'f'`.execute(db);
  const keys = await sql<{ readonly own: string }>`
    select i.indrelid::regclass || '.' || a.attname as own
    from pg_index i
    join pg_class t on t.oid = i.indrelid and t.relnamespace = 'public'::regnamespace
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indisunique and i.indpred is null and i.indexprs is null`.execute(db);
  const others = Map.groupBy(references.rows, ({ own }) => own);
  const referred = new Set(references.rows.map(({ other }) => other));
  return {
    references: new Map(Array.from(others, ([own, rows]) => [own, rows.map(({ other }) => other)])),
    keys: new Set(keys.rows.map(({ own }) => own)),
    referred,
  };
}

const LOCKING = /\bfor (update|no key update|share|key share)(?: of (\w+(?:, ?\w+)*))?/g;
const READ =
  /\b(?:from|join) (\w+)(?: (?:as )?(?!where|join|on|order|limit|for|left|inner|cross|group|set|using)(\w+))?/g;
const INSERT = /\binsert into (\w+) \(([^)]*)\)/g;
const UPSERT = /\binsert into (\w+) \([^)]*\).*? on conflict/g;
const FIRST_VALUES = /\binsert into \w+ \([^)]*\) values \(((?:\$\d+(?:, )?)+)/;
const UPDATE = /\bupdate (\w+)(?: as \w+)? set (.*?)(?: where | returning | from |$)/g;
const DELETE = /\bdelete from (\w+)/g;
const ASSIGNED = /(?:^|, )\(?(\w+) = /g;

/** Parts of the text of a statement that concern locks. */
interface Parsed {
  /** The locks that it takes itself: with `for …`, or to remove rows. */
  readonly named: readonly RowLock[];
  readonly updated: readonly Columns[];
  readonly inserted: readonly Columns[];
  /** The parameters of the values of a row, such as `$1`, all of which are given, or of its first columns. */
  readonly given: readonly string[];
  readonly upserted: readonly string[];
}

/** Columns of a table that a statement sets. */
interface Columns {
  readonly table: string;
  /** Written as in {@link TableKeys}. */
  readonly columns: readonly string[];
}

/** Tests run the same few statements again and again. */
const parsed = new Map<string, Parsed>();
const MOST_PARSED = 4_096;

/** The tables to which a statement adds rows. */
export function insertedIn(text: string): readonly string[] {
  return parse(text).inserted.map(({ table }) => table);
}

/** The tables to which a statement adds rows unless they are there: then it locks them. */
export function upsertedIn(text: string): readonly string[] {
  return parse(text).upserted;
}

/** The locks that a statement takes on rows that are there, in no order. */
export function locksIn(
  text: string,
  keys: TableKeys,
  values: readonly unknown[] = [],
): readonly RowLock[] {
  const { named, updated, inserted, given } = parse(text);
  const isNull = (at: number) => values[Number(given[at]?.slice(1)) - 1] === null;
  // A column without a value refers to nothing.
  const added = inserted.flatMap(({ columns }) => columns.filter((_, at) => !isNull(at)));
  const locks = [
    ...named,
    ...updated.flatMap((each) => updateLocks(each, keys)),
    ...shared(added, keys),
  ];
  return locks.map(({ table, strength }) =>
    strength === 'update' && !keys.referred.has(table)
      ? { table, strength: 'no key update' }
      : { table, strength },
  );
}

function updateLocks({ table, columns }: Columns, keys: TableKeys): readonly RowLock[] {
  const strength = columns.some((column) => keys.keys.has(column)) ? 'update' : 'no key update';
  return [{ table, strength }, ...shared(columns, keys)];
}

function shared(columns: readonly string[], { references }: TableKeys): readonly RowLock[] {
  return columns.flatMap((column) =>
    (references.get(column) ?? []).map((table) => ({ table, strength: 'key share' }) as const),
  );
}

function parse(text: string): Parsed {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  if (parsed.size >= MOST_PARSED) parsed.clear();
  const plain = text.replaceAll('"', '').replaceAll(/\s+/g, ' ');
  const statement = {
    named: [...selected(plain), ...deleted(plain)],
    updated: Array.from(plain.matchAll(UPDATE), ([, table = '', assignments = '']) =>
      columnsOf(
        table,
        Array.from(assignments.matchAll(ASSIGNED), ([, name = '']) => name),
      ),
    ),
    inserted: Array.from(plain.matchAll(INSERT), ([, table = '', names = '']) =>
      columnsOf(table, names.split(/, ?/)),
    ),
    given: FIRST_VALUES.exec(plain)?.[1]?.split(', ') ?? [],
    upserted: Array.from(plain.matchAll(UPSERT), ([, table = '']) => table),
  };
  parsed.set(text, statement);
  return statement;
}

function columnsOf(table: string, names: readonly string[]): Columns {
  return { table, columns: names.map((name) => `${table}.${name.trim()}`) };
}

function selected(text: string): readonly RowLock[] {
  const tables = new Map<string, string>();
  for (const [, table = '', alias = table] of text.matchAll(READ)) tables.set(alias, table);
  return Array.from(text.matchAll(LOCKING)).flatMap(([, strength = '', of = '']) => {
    const names = of === '' ? [...tables.keys()] : of.trim().split(/, ?/);
    // Guarantee: the pattern names no other strength.
    return names.map((name) => ({ table: tables.get(name) ?? name, strength }) as RowLock);
  });
}

function deleted(text: string): readonly RowLock[] {
  return Array.from(text.matchAll(DELETE), ([, table = '']) => ({ table, strength: 'update' }));
}
