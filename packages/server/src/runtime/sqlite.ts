import { Database } from 'bun:sqlite';
import type { SqliteDatabase } from 'kysely';

type Parameters = readonly (string | number | bigint | null | Uint8Array)[];

/** An SQLite file, as much of it as the database port and the lock need. */
export interface SqliteFile extends SqliteDatabase {
  /** Runs statements without results. Throws an Error whose `code` is SQLite's, such as SQLITE_BUSY. */
  exec(sql: string): void;
  /** Runs a statement with its values, and tells how many rows it has changed. Throws likewise. */
  change(sql: string, values: readonly (string | number)[]): number;
  /** Prepares a statement that gives one number. */
  prepareNumber(sql: string): () => number;
}

/** Opens an SQLite file, created when missing. Throws when it cannot be opened. */
export function openSqlite(path: string): SqliteFile {
  const database = new Database(path, { create: true });
  return {
    exec: (sql) => {
      database.run(sql);
    },
    change: (sql, values) => database.query(sql).run(...values).changes,
    prepareNumber(sql) {
      const statement = database.query<Record<string, number>, []>(sql);
      return () => Number(statement.values()[0]?.[0]);
    },
    close: () => database.close(),
    prepare(sql) {
      const statement = database.query(sql);
      return {
        reader: statement.columnNames.length > 0,
        all: (parameters) => statement.all(...bindable(parameters)),
        run: (parameters) => statement.run(...bindable(parameters)),
        iterate: (parameters) => statement.iterate(...bindable(parameters)),
      };
    },
  };
}

// Guarantee: the stores' tables hold text, numbers, blobs and null only, and Kysely hands on what it was given.
function bindable(parameters: ReadonlyArray<unknown>): Parameters {
  return parameters as Parameters;
}
