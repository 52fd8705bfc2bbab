import { Database, type Statement } from 'bun:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

type Parameters = readonly (string | number | bigint | null | Uint8Array)[];

/** The part of an SQLite file that the database port and the lock need. */
export interface SqliteFile extends SqliteDatabase {
  /** Runs statements without results. Throws an Error whose `code` is SQLite's, such as SQLITE_BUSY. */
  exec(sql: string): void;
  /**
   * Runs a statement, which is kept prepared until the file is closed, with its values. Returns how many rows it changed.
   * Throws the same errors.
   */
  change(sql: string, values: readonly (string | number)[]): number;
  /** Runs a statement with results in the same way, and returns its rows. */
  rows(sql: string, values: readonly (string | number)[]): readonly unknown[];
  readonly isInTransaction: boolean;
  /** Prepares a statement that returns one number. */
  prepareNumber(sql: string): () => number;
}

/** The number of statements of queries that are kept prepared; the least recently used are closed. */
const PREPARED_STATEMENTS = 64;

/** Opens an SQLite file, and creates it if it is missing. Throws if it cannot be opened. */
export function openSqlite(path: string): SqliteFile {
  const database = new Database(path, { create: true });
  const prepared = new Map<string, Query>();
  const kept = new Map<string, Statement>();
  let isClosed = false;
  // The runtime would keep only the first 20 statements that it sees.
  const prepare = (sql: string): Query => {
    const query = prepared.get(sql) ?? queryOf(database.prepare(unpeeked(sql)));
    prepared.delete(sql);
    prepared.set(sql, query);
    if (prepared.size <= PREPARED_STATEMENTS) return query;
    for (const [oldest, { finalize }] of prepared.entries().take(1)) {
      prepared.delete(oldest);
      finalize();
    }
    return query;
  };
  // To note each use would cost a tenth of a small statement.
  const keep = (sql: string): Statement => {
    const known = kept.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(unpeeked(sql));
    kept.set(sql, statement);
    return statement;
  };
  return {
    exec: (sql) => {
      database.run(sql);
    },
    change: (sql, values) => keep(sql).run(values).changes,
    rows: (sql, values) => keep(sql).all(values),
    get isInTransaction() {
      // Closing rolls back.
      return !isClosed && database.inTransaction;
    },
    prepareNumber(sql) {
      const statement = database.query<Record<string, number>, []>(sql);
      return () => Number(statement.values()[0]?.[0]);
    },
    close() {
      isClosed = true;
      for (const statements of [prepared, kept]) {
        for (const statement of statements.values()) statement.finalize();
        statements.clear();
      }
      database.close();
    },
    prepare,
  };
}

/** A statement of Kysely's that is kept prepared. */
interface Query extends SqliteStatement {
  readonly finalize: () => void;
}

function queryOf(statement: Statement): Query {
  return {
    reader: statement.columnNames.length > 0,
    all: (parameters) => statement.all(...bindable(parameters)),
    run: (parameters) => statement.run(...bindable(parameters)),
    iterate: (parameters) => statement.iterate(...bindable(parameters)),
    finalize: () => statement.finalize(),
  };
}

/**
 * The statement with a plus before the values of those that stores write themselves, which have `$1` and not `?`. SQLite plans by
 * the values that columns are compared with, and prepares many statements again for other values, which takes longer than to run them.
 */
function unpeeked(sql: string): string {
  return sql.replaceAll(/\$\d+/g, '+$&');
}

// Guarantee: the stores' tables hold only text, numbers, blobs and null, and Kysely passes on what it was given.
function bindable(parameters: ReadonlyArray<unknown>): Parameters {
  return parameters as Parameters;
}
