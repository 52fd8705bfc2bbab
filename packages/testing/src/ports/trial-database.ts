import type {
  Database,
  ManyStatement,
  Statement,
  Transaction,
  TransactionOptions,
  Writer,
} from '../../../server/src/ports/database/database.ts';
import { errorCode } from '../../../server/src/lib/error-code.ts';
import { readerBefore } from './reader-before.ts';

/** A database whose queries are noted, and whose transactions can be undone. */
export interface TrialDatabase extends Database {
  /** The queries and statements since the last call: the text of each, and how many rows a query has returned. */
  takeQueries(): readonly string[];
  /** From now on, transactions succeed but are rolled back, and report no changes. */
  undoTransactions(): void;
  /** The number of attempts of transactions that have met a deadlock. */
  readonly deadlocks: number;
}

const DEADLOCK = '40P01';

/** Ends a transaction that has succeeded and is to be undone. */
class Undone<Result> {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

/** Such a database, around another one. */
export function trialDatabase(database: Database): TrialDatabase {
  let queries: string[] = [];
  let undoes = false;
  let deadlocks = 0;
  const counting = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      if (errorCode(error) === DEADLOCK) deadlocks += 1;
      throw error;
    }
  };
  const note = (text: string, rows: number) => void queries.push(`${text} -- ${rows} rows`);
  const before = () => Promise.resolve();
  const noteQuery = ({ sql }: { readonly sql: string }, { rows }: { readonly rows: unknown[] }) =>
    note(sql, rows.length);
  const noting = (tx: Transaction): Transaction => {
    // Guarantee: the same writer, except that its queries are noted.
    const sql = readerBefore(tx.sql, before, noteQuery) as Writer;
    return {
      sql,
      run(statement) {
        queries.push(statement.text);
        return tx.run(statement);
      },
      async rows<Row>(statement: Statement): Promise<readonly Row[]> {
        const rows = await tx.rows<Row>(statement);
        note(statement.text, rows.length);
        return rows;
      },
      async many<Row>(statement: ManyStatement): Promise<readonly Row[]> {
        const rows = await tx.many<Row>(statement);
        note(statement.text, rows.length);
        return rows;
      },
      runMany(statement) {
        queries.push(statement.text);
        return tx.runMany(statement);
      },
      hold: (name, how) => tx.hold(name, how),
      changed: (kind, id) => tx.changed(kind, id),
    };
  };
  return {
    ...database,
    reader: readerBefore(database.reader, before, noteQuery),
    async transaction<Result>(
      work: (tx: Transaction) => Promise<Result>,
      options?: TransactionOptions,
    ): Promise<Result> {
      if (!undoes) return await database.transaction((tx) => counting(work(noting(tx))), options);
      try {
        return await database.transaction(async (tx) => {
          throw new Undone(await counting(work(noting(tx))));
        }, options);
      } catch (error) {
        // Guarantee: thrown above, with what `work` returned.
        if (error instanceof Undone) return (error as Undone<Result>).result;
        throw error;
      }
    },
    takeQueries() {
      const taken = queries;
      queries = [];
      return taken;
    },
    undoTransactions() {
      undoes = true;
    },
    get deadlocks() {
      return deadlocks;
    },
  };
}
