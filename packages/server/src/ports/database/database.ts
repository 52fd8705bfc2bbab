import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Reads, within a transaction or outside of one. */
export type Reader = Kysely<Tables>;

/** Reads and writes that happen together or not at all. */
export type Writer = Transaction<Tables>;

/** A row, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** A statement in SQL that every engine understands. */
export interface Statement {
  /** Has `$1`, `$2` … where the values belong, each once and in this order. */
  readonly text: string;
  readonly values: readonly (string | number)[];
}

/**
 * The instance's tables. A transaction that has resolved survives power loss; one that has rejected was undone, unless
 * the connection was lost during its commit: then what is read next tells for good. Transactions exclude each other,
 * also between processes: what one reads stays true until it commits. That holds among those of `transaction`, and
 * among quiet ones, which work on rows of their own; where the engine is a server it does not hold between the two.
 */
export interface Database extends AsyncDisposable {
  /** For single reads, which see what was committed and wait for no transaction. */
  reader(): Promise<Reader>;

  /**
   * The rows of a query that never varies, in SQL that every engine understands; reads likewise. For what every start
   * asks: without the query builder, which takes as long to load as the whole rest of a start.
   */
  rows(query: string): Promise<readonly Row[]>;

  /**
   * A number that is another one when a `transaction` was committed since it was asked for last, in this process or
   * another, and the same otherwise: tells whether what was read before still holds. Where the engine is a server, a
   * commit of another process is heard of some moments later, and the number is another one at each call while it
   * would not be heard of.
   */
  revision(): number;

  /** Runs `work` in a transaction and commits; rolls back and rethrows when it rejects. `work` may run once only. */
  transaction<Result>(work: (writer: Writer) => Promise<Result>): Promise<Result>;

  /** The same for what is written all the time and read anew each time, of which `revision` does not tell. */
  quietTransaction<Result>(work: (writer: Writer) => Promise<Result>): Promise<Result>;

  /**
   * Runs statements one after another as such a transaction, and tells how many rows each has changed. For what is
   * written several times a second: building a query of parts takes several times as long as to run it. Rejects where
   * other transactions leave no moment for it in 5 s.
   */
  quietly(statements: readonly Statement[]): Promise<readonly number[]>;

  /**
   * The same as a quiet transaction, but undefined at once, without `work`, where the engine is a server and another
   * process is in one.
   */
  tryQuietTransaction<Result>(
    work: (writer: Writer) => Promise<Result>,
  ): Promise<Result | undefined>;
}
