import type { Id, PermissionMask } from '@hearth/protocol';
import type { Migration } from 'kysely/migration';

/** The treatment of the rows that name a person when the account is deleted. */
export type Erasure =
  | { readonly rows: 'removed' }
  /** They stay, but these columns say nothing any more. */
  | { readonly rows: 'emptied'; readonly columns: readonly string[]; readonly because: string }
  | { readonly rows: 'kept'; readonly because: string };

/**
 * The content of a column: `id` an identifier or nothing, `mask` a mask of permissions, `moment` Unix milliseconds, or
 * 0 for none. A column of one of these has a name that no column of another kind has, because the engines convert
 * values by it.
 */
export type ColumnKind = 'text' | 'number' | 'id' | 'mask' | 'moment';

/** Returns whether columns of this kind hold numbers. */
export function isNumeric(kind: ColumnKind | undefined): boolean {
  return kind === 'number' || kind === 'moment';
}

/** A description of a table besides the types of its rows: enough to move it to another database. */
export interface TableData {
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** The tables that its rows refer to. */
  readonly refersTo?: readonly string[];
  /** The columns that name a person, each with what happens to its rows when the account is deleted. */
  readonly people?: { readonly [column: string]: Erasure | undefined };
  /** The thing with which its rows are removed: the column that names the community or the channel. */
  readonly removedWith?: { readonly community?: string; readonly channel?: string };
  /** The number of rows that are read and written at once, all of them in memory; 500 unless rows are large. */
  readonly rowsAtOnce?: number;
  /** Why the table is not moved, if it is not: the instance creates its rows again. */
  readonly notMoved?: string;
}

/** Descriptions of tables, by their names: those that others refer to come first. */
export type TableList = Readonly<Record<string, TableData>>;

/** A kind of column, and the type of its values in memory. */
export type Column<Value> = ColumnKind & { readonly [VALUE]?: Value };

declare const VALUE: unique symbol;

type Columns = Readonly<Record<string, Column<unknown>>>;

/** The kinds of columns, to describe tables with. */
export const column = {
  text: 'text' as Column<string>,
  number: 'number' as Column<number>,
  id: 'id' as Column<Id>,
  /** An identifier, or nothing. */
  optionalId: 'id' as Column<Id | ''>,
  moment: 'moment' as Column<number>,
  mask: <Name extends string>(): Column<PermissionMask<Name>> => 'mask',
  /** Some texts. */
  oneOf: <Value extends string>(): Column<Value> => 'text',
  // Guarantee: kinds say nothing of null.
  nullable: <Value>(kind: Column<Value>) => kind as ColumnKind as Column<Value | null>,
} as const;

/** The data of a table with these columns. */
interface TableOf<Own extends Columns> extends TableData {
  readonly columns: Own;
  readonly key: readonly (keyof Own & string)[];
  readonly people?: { readonly [Name in keyof Own & string]?: Erasure };
  readonly removedWith?: {
    readonly community?: keyof Own & string;
    readonly channel?: keyof Own & string;
  };
}

/** Describes a table. The types of its rows follow from its columns. */
export function table<const Own extends Columns>(data: TableOf<Own>): TableOf<Own> {
  return data;
}

/** A row of a table. */
export type Row<Table extends TableData> = {
  -readonly [Name in keyof Table['columns']]: Table['columns'][Name] extends Column<infer Value>
    ? Value
    : never;
};

/** Changes of a schema by name. The names give their order. */
export type Migrations = Readonly<Record<string, Migration>>;

/** The tables of a feature. */
export interface FeatureTables {
  readonly tables: TableList;
  /** The changes that lead to these tables. The name of a released one must never change. */
  readonly migrations: Migrations;
}
