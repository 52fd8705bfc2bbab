import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { Tables } from '../../schema.ts';

/** Reads, within a transaction or outside of one. */
export type Reader = Kysely<Tables>;

/** Reads and writes within a transaction. */
export type Writer = KyselyTransaction<Tables>;

/** A statement in SQL that every engine understands. */
export interface Statement {
  /** Has `$1`, `$2` … where the values belong, each once and in this order. Of few different texts: they are kept prepared. */
  readonly text: string;
  readonly values: readonly (string | number)[];
}

/**
 * What can change. `content`: a content, or what refers to it, was changed or removed; the id is the key of the blob.
 * `outbox`: a subject, which is the id, has rows that another process is to publish.
 */
export type ChangeKind = 'content' | 'outbox';

/** Something that is different since a commit. */
export interface Change {
  readonly kind: ChangeKind;
  readonly id: string;
}

/** Is called with what has changed; with `unknown` if it may be anything. */
export type ChangeListener = (changes: readonly Change[] | 'unknown') => void;

/** What `work` of a transaction is given. */
export interface Transaction {
  /** Runs queries. What runs after `work` has settled is rejected. */
  readonly sql: Writer;

  /** Runs a statement that is kept prepared, for what is written many times a second. Resolves with the number of changed rows. */
  run(statement: Statement): Promise<number>;

  /** Notes a change that other processes, or caches of this one, have to hear of. They do when the transaction is committed. */
  changed(kind: ChangeKind, id: string): void;
}

/**
 * The instance's tables. A transaction that has resolved survives power loss. One that has rejected was rolled back,
 * unless the connection was lost during its commit: then the next read shows which, and that stays so.
 */
export interface Database extends AsyncDisposable {
  /** For single reads, which see what was committed and wait for no transaction. */
  readonly reader: Reader;

  /**
   * Runs `work` in a transaction and commits; rolls back and rejects if `work` rejects. After a statement that failed
   * the transaction runs no others and is rolled back, also if `work` catches the error and resolves.
   *
   * Transactions run at the same time: each statement sees what was committed before it began (READ COMMITTED). What
   * is read and must stay true until the commit is read with `forUpdate()`, and what must exist once has a unique
   * constraint. (The embedded engine runs them one after another, so it needs no locks and ignores them.) `work` may
   * be run again after a deadlock or a serialization failure, so it does nothing but call the transaction, and above
   * all waits for no server: the embedded engine rolls it back if it keeps the others waiting for 250 ms.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;

  /** Calls `listener` with what any process has changed, until the returned function is called. */
  onChange(listener: ChangeListener): () => void;

  /**
   * Calls listeners with what was committed until now, as far as this process has heard: everything of its own, with an
   * embedded engine also everything of other processes, and otherwise what they committed up to some milliseconds ago.
   * False if this process is not certain of hearing: then no cache may be trusted.
   */
  hearChanges(): boolean;
}
