import { sql, type RawBuilder } from 'kysely';
import type { Database, Writer } from './database.ts';

/** Values of some columns of a row, which say where it is in the order of these columns. */
export type RowPlace = readonly (string | number)[];

/** Rows that are deleted some at a time, in the order of an index. */
export interface Swept {
  readonly table: string;
  /** Only rows with these values. An index begins with their columns. */
  readonly where: Readonly<Record<string, string | number>>;
  /** The columns that follow in the index. Few rows have the same values in all of them. */
  readonly order: readonly string[];
  /** Only rows whose first column in the order is less. */
  readonly before?: string | number | undefined;
  /** Rows with other values are passed over. */
  readonly only?: Readonly<Record<string, string | number>>;
}

/**
 * Deletes rows after a place, or the first ones: about `limit`, and all that are in one place with the last of them. Returns the
 * last place, or undefined if nothing is left. A statement begins where the one before has ended, because PostgreSQL keeps deleted
 * rows in its indexes for a while: one that begins at the start reads all of them again. And it names a range instead of rows that
 * another query finds, which the planner might repeat for each row.
 */
export async function deleteAfter(
  db: Writer,
  { table, where, order, before, only = {} }: Swept,
  { after, limit }: { readonly after: RowPlace | undefined; readonly limit: number },
): Promise<RowPlace | undefined> {
  const columns = sql.join(order.map((column) => sql.ref(column)));
  const beyond = after === undefined ? [] : [compared(columns, '>', after)];
  const [first] = order;
  const end =
    before === undefined || first === undefined ? [] : [sql`${sql.ref(first)} < ${before}`];
  const within = (more: readonly RawBuilder<unknown>[]) => {
    const all = [...equal(where), ...beyond, ...more];
    return all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`;
  };
  const { rows } = await sql<Readonly<Record<string, string | number>>>`
    select ${columns} from ${sql.table(table)} ${within(end)}
    order by ${columns} limit 1 offset ${limit - 1}`.execute(db);
  const [row] = rows;
  const last = row && order.map((column) => row[column] ?? '');
  const upTo = last === undefined ? end : [compared(columns, '<=', last)];
  await sql`delete from ${sql.table(table)} ${within([...upTo, ...equal(only)])}`.execute(db);
  return last;
}

/** Deletes all of these rows, `atOnce` in each transaction. It can be interrupted and repeated. */
export async function deleteAll(
  database: Pick<Database, 'transaction'>,
  swept: Swept,
  { atOnce, signal }: { readonly atOnce: number; readonly signal: AbortSignal },
): Promise<void> {
  let after: RowPlace | undefined;
  do {
    signal.throwIfAborted();
    const range = { after, limit: atOnce };
    after = await database.transaction((tx) => deleteAfter(tx.sql, swept, range));
  } while (after !== undefined);
}

function equal(values: Readonly<Record<string, string | number>>): readonly RawBuilder<unknown>[] {
  return Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
}

function compared(
  columns: RawBuilder<unknown>,
  operator: '>' | '<=',
  place: RowPlace,
): RawBuilder<unknown> {
  return sql`(${columns}) ${sql.raw(operator)} (${sql.join(place)})`;
}
