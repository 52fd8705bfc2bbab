import { maskDigits, parseMask, type PermissionMask } from '@hearth/protocol';
import { idIn, sortable } from './sortable-id.ts';
import type { ColumnKind, TableList } from './table-data.ts';
import { valueColumns } from './value-columns.ts';

/** The number of statements that are remembered. */
const MOST_REMEMBERED = 500;

/** A kind whose values have another form where they are stored. */
type FormedKind = Extract<ColumnKind, 'id' | 'mask'>;

/**
 * The forms in which an engine stores values: identifiers with leading zeros to 39 digits, so that texts sort like their numbers,
 * and masks as their digits. The name of a column determines its kind in every statement, and every name that ends in `_id` or `Id` is that
 * of an identifier.
 */
export class StoredForms {
  readonly #kinds: ReadonlyMap<string, ColumnKind>;
  readonly #known = new Map<string, StatementForms>();

  constructor(tables: TableList) {
    this.#kinds = new Map(Object.values(tables).flatMap(({ columns }) => Object.entries(columns)));
  }

  /** The forms of what a statement is given and returns. */
  of(text: string): StatementForms {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    const forms = new StatementForms(text, this.#kindOf);
    this.#known.set(text, forms);
    return forms;
  }

  readonly #kindOf: KindOf = (column) =>
    this.#kinds.get(column) ?? (/_id$|Id$/.test(column) ? 'id' : undefined);
}

/** The kind of a column by its name; undefined if no table has one of this name. */
type KindOf = (column: string) => ColumnKind | undefined;

/** Something that has another form where it is stored: a value by its number, or a column by its name. */
interface Formed<Key> {
  readonly key: Key;
  readonly kind: FormedKind;
}

/** The forms of a statement's values, and of the rows that it returns. */
export class StatementForms {
  readonly #text: string;
  readonly #kindOf: KindOf;
  readonly #values: readonly Formed<number>[];
  /** The values of which it does not say where they belong, or of which no table has a column. */
  readonly #unknown: readonly number[];
  #columns: readonly Formed<string>[] | undefined;

  constructor(text: string, kindOf: KindOf) {
    this.#text = text;
    this.#kindOf = kindOf;
    const columns = valueColumns(text);
    this.#values = formed(columns.entries(), kindOf);
    this.#unknown = [...columns.keys()].filter((at) => kindOf(columns[at] ?? '') === undefined);
  }

  /**
   * Returns values as they are stored. Throws if one of them is no number and the statement does not say where it belongs, or
   * names what no table has: then nobody knows whether it is an identifier.
   */
  store<Value>(values: readonly Value[]): readonly Value[] {
    for (const at of this.#unknown) {
      if (!isNumeric(values[at]))
        throw new TypeError(`no known column for value ${at + 1}: ${this.#text}`);
    }
    if (this.#values.length === 0) return values;
    const stored = [...values];
    // Guarantee: what is stored of a text is a text.
    for (const { key, kind } of this.#values) stored[key] = storedForm(values[key], kind) as Value;
    return stored;
  }

  /** Gives the values in rows, which nobody else has yet, the form that they have in memory. */
  restore<Row>(rows: readonly Row[]): readonly Row[] {
    const [first] = rows;
    if (first === undefined) return rows;
    this.#columns ??= formed(
      Object.keys(Object(first)).map((column) => [column, column]),
      this.#kindOf,
    );
    if (this.#columns.length === 0) return rows;
    // Guarantee: engines return a new object for each row.
    for (const row of rows as readonly Record<string, unknown>[]) {
      for (const { key, kind } of this.#columns) {
        const value = row[key];
        if (typeof value === 'string') row[key] = kind === 'id' ? idIn(value) : parseMask(value);
      }
    }
    return rows;
  }
}

function formed<Key>(
  columns: Iterable<readonly [Key, string | undefined]>,
  kindOf: KindOf,
): readonly Formed<Key>[] {
  return [...columns].flatMap(([key, column]) => {
    const kind = column === undefined ? undefined : kindOf(column);
    return kind === 'id' || kind === 'mask' ? [{ key, kind }] : [];
  });
}

function isNumeric(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isNumeric);
  return value === null || (typeof value !== 'string' && typeof value !== 'object');
}

function storedForm(value: unknown, kind: FormedKind): unknown {
  if (Array.isArray(value)) return value.map((each) => storedForm(each, kind));
  if (typeof value === 'string') return kind === 'id' ? sortable(value) : value;
  // Guarantee: of objects, only masks are stored.
  return kind === 'mask' && value !== null ? maskDigits(value as PermissionMask<string>) : value;
}
