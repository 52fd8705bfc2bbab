import type { Id, PermissionMask } from '@hearth/protocol';
import type { Migration } from 'kysely/migration';

/** What happens to the rows that name a person when the account is deleted. */
export type Erasure =
  | { readonly rows: 'removed' }
  /** They stay, but these columns say nothing any more. */
  | { readonly rows: 'emptied'; readonly columns: readonly string[]; readonly because: string }
  | { readonly rows: 'kept'; readonly because: string };

/**
 * What a column holds: `id` an identifier or nothing, `mask` a mask of permissions, `moment` Unix milliseconds, or 0 for none. A
 * column of one of these has a name that no column of another kind has, because the engines convert values by it.
 */
export type ColumnKind = 'text' | 'number' | 'id' | 'mask' | 'moment';

/** Returns whether columns of this kind hold numbers. */
export function isNumeric(kind: ColumnKind | undefined): boolean {
  return kind === 'number' || kind === 'moment';
}

/** What is known about a table besides the types of its rows: enough to move it to another database. */
export interface TableData {
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** The tables that its rows refer to. */
  readonly refersTo?: readonly string[];
  /** The columns that name a person, each with what happens to its rows when the account is deleted. */
  readonly people?: { readonly [column: string]: Erasure | undefined };
  /** What its rows are removed with: the column that names the community or the channel. */
  readonly removedWith?: { readonly community?: string; readonly channel?: string };
  /** How many rows are read and written at once, all of them in memory; 500 unless rows are large. */
  readonly rowsAtOnce?: number;
  /** Why the table is not moved, if it is not: the instance creates its rows again. */
  readonly notMoved?: string;
}

/** What is known of tables, by their names: what others refer to comes first. */
export type TableList = Readonly<Record<string, TableData>>;

/** The data of a table with rows of this type. */
interface TableDataOf<Row> extends TableData {
  readonly columns: {
    readonly [Column in keyof Row]-?: KindOf<Column, NonNullable<Row[Column]>>;
  } & TableData['columns'];
  readonly key: readonly (keyof Row & string)[];
  readonly people?: { readonly [Column in keyof Row & string]?: Erasure };
  readonly removedWith?: {
    readonly community?: keyof Row & string;
    readonly channel?: keyof Row & string;
  };
}

type KindOf<Column, Value> = [Value] extends [number]
  ? Column extends `${string}_ms`
    ? 'moment'
    : 'number'
  : [Value] extends [Id | '']
    ? 'id'
    : [Value] extends [PermissionMask<string>]
      ? 'mask'
      : 'text';

/** The data of tables, by their names. */
export type TablesData<Tables> = {
  readonly [Name in keyof Tables]: TableDataOf<Tables[Name]>;
};

/** Changes of a schema by name. The names give their order. */
export type Migrations = Readonly<Record<string, Migration>>;

/** What a feature stores. */
export interface FeatureTables<Tables> {
  readonly tables: TablesData<Tables>;
  /** The changes that lead to these tables. The name of a released one must never change. */
  readonly migrations: Migrations;
}
