import { Database as SqliteFile } from 'bun:sqlite';
import { CompiledQuery } from 'kysely';
import type {
  Database,
  Reader,
  Statement,
  Transaction,
  Writer,
} from '../../../server/src/ports/database/database.ts';
import { readerBefore } from './reader-before.ts';

/** Rows and scans of tables by the statements of a database. */
export interface Reads {
  /** PostgreSQL only: how many rows, each as often as it was read. */
  readonly rows: number;
  /** SQLite only: the steps of plans that read a whole table. */
  readonly scans: readonly string[];
}

/** A database that counts what its statements read. */
export interface CountedDatabase {
  readonly database: Database;
  /** Returns what was read since the last call. */
  taken(): Reads;
}

const STATEMENT = /^\s*(?:select|insert|update|delete|with)\b/i;
/** The values of a statement are scanned as a table with a name of one's own. */
const SCAN = /^SCAN (?!subject$|CONSTANT ROW$)(?!.* USING )/;

/** Counts what the statements of a database read that name one of the tables: each is explained before it runs. */
export function countReads(
  database: Database,
  engine: 'sqlite' | 'postgres',
  tables: readonly string[],
): CountedDatabase {
  let rows = 0;
  let scans = new Set<string>();
  const plans = new Map<string, Promise<readonly string[]>>();
  const explain = async (db: Reader, { sql: text, parameters }: CompiledQuery) => {
    if (!STATEMENT.test(text) || !tables.some((table) => text.includes(table))) return;
    if (engine === 'sqlite') {
      const plan = plans.getOrInsertComputed(text, () => stepsOf(database.reader, text));
      for (const step of await plan) if (SCAN.test(step)) scans.add(step);
    } else rows += await rowsRead(db, text, parameters);
  };
  const counting = (tx: Transaction): Transaction => {
    const before = ({ text, values, locks = '' }: Statement) =>
      explain(
        tx.sql,
        CompiledQuery.raw(engine === 'sqlite' ? text : `${text} ${locks}`, [...values]),
      );
    return {
      ...tx,
      // Guarantee: the same writer, except that its queries are explained first.
      sql: readerBefore(tx.sql, (query) => explain(tx.sql, query)) as Writer,
      async run(statement) {
        await before(statement);
        return await tx.run(statement);
      },
      async rows(statement) {
        await before(statement);
        return await tx.rows(statement);
      },
      hold: (name, how) => tx.hold(name, how),
      changed: (kind, id) => tx.changed(kind, id),
    };
  };
  return {
    database: {
      ...database,
      reader: readerBefore(database.reader, (query) =>
        // A reader may not explain what locks or writes, and its queries do neither.
        explain(database.reader, query),
      ),
      transaction: (work) => database.transaction((tx) => work(counting(tx))),
    },
    taken() {
      const taken = { rows, scans: [...scans] };
      [rows, scans] = [0, new Set()];
      return taken;
    },
  };
}

/** The steps of the plan of a statement, read on a connection of its own, so that none of the others is left reading. */
async function stepsOf(db: Reader, text: string): Promise<readonly string[]> {
  const files = await db.executeQuery<{ readonly file: string }>(
    CompiledQuery.raw('pragma database_list'),
  );
  using file = new SqliteFile(files.rows[0]?.file ?? '', { readonly: true });
  const plan = file.query<{ readonly detail: string }, []>(`explain query plan ${text}`).all();
  return plan.map(({ detail }) => detail);
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Runs a statement to count what it reads, and takes back what it has changed. */
async function rowsRead(db: Reader, text: string, parameters: readonly unknown[]): Promise<number> {
  const isWriting = !/^\s*select\b/i.test(text);
  const raw = (sql: string) => db.executeQuery(CompiledQuery.raw(sql));
  if (isWriting) await raw('savepoint explained');
  const query = `explain (analyze, timing off, format json) ${text}`;
  const { rows } = await db.executeQuery<{
    readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[];
  }>(CompiledQuery.raw(query, [...parameters]));
  if (isWriting) await raw('rollback to savepoint explained');
  return rows[0]?.['QUERY PLAN'].reduce((sum, { Plan }) => sum + readBy(Plan), 0) ?? 0;
}

function readBy(node: PlanNode): number {
  const children = (node.Plans ?? []).reduce((sum, child) => sum + readBy(child), 0);
  if (!/Scan|Materialize/.test(node['Node Type'])) return children;
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return children + (node['Actual Rows'] + removed) * node['Actual Loops'];
}
