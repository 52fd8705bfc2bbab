import type { Kysely, Transaction as KyselyTransaction } from 'kysely';

/**
 * The rows of every table, by its name. The program that opens databases declares them, because the port knows no feature:
 * `declare module './ports/database/database.ts' { interface Tables extends … {} }`.
 */
export interface Tables {}

/** Reads, inside or outside a transaction. */
export type Reader = Kysely<Tables>;

/** Reads and writes in a transaction. */
export type Writer = KyselyTransaction<Tables>;

/** An SQL statement that every engine understands. */
export interface Statement {
  /**
   * Has `$1`, `$2` … in place of the values, in this order where each is first. Use few texts, as each is kept prepared.
   */
  readonly text: string;
  readonly values: readonly (string | number)[];
  /**
   * Which of the rows that it reads are locked until the transaction ends, as PostgreSQL writes it: `for update of posts`. The
   * embedded engine runs transactions one after another, and leaves it out.
   */
  readonly locks?: string;
}

/** A statement about several things at once, which it reads as the rows of a table. */
export interface ManyStatement {
  /**
   * Reads the table `given`. It treats each row by itself, because an engine may run it several times, with some of the rows
   * each. It has no `$1`. Use few texts, as each is kept prepared.
   */
  readonly text: string;
  /** The columns of `given`, in their order: always the same for a text. */
  readonly columns: Readonly<Record<string, 'text' | 'bigint' | 'double precision'>>;
  readonly rows: readonly (readonly (string | number)[])[];
  /** As of {@link Statement}. */
  readonly locks?: string;
}

/** The kinds of what can change, as names of members. Each feature declares its own beside its tables. */
export interface ChangeKinds {}

/** A kind of things that change. */
export type ChangeKind = keyof ChangeKinds;

/** Something that a commit has changed. */
export interface Change {
  readonly kind: ChangeKind;
  readonly id: string;
}

/** Is called with the changes, or with `unknown` if anything may have changed. */
export type ChangeListener = (changes: readonly Change[] | 'unknown') => void;

/** The means by which `work` uses a transaction. */
export interface Transaction {
  /** Runs queries. They are rejected after `work` has settled. */
  readonly sql: Writer;

  /**
   * Runs a statement that is kept prepared, for writes that happen many times a second. Resolves with the number of
   * changed rows.
   */
  run(statement: Statement): Promise<number>;

  /**
   * Runs a kept statement with results. Resolves with its rows, whose columns the caller knows.
   */
  rows<Row>(statement: Statement): Promise<readonly Row[]>;

  /**
   * Runs a kept statement about several things. Resolves with the rows for all of them, in no order.
   */
  many<Row>(statement: ManyStatement): Promise<readonly Row[]>;

  /**
   * Runs a kept statement about several things, without results. Resolves with the number of changed
   * rows.
   */
  runMany(statement: ManyStatement): Promise<number>;

  /**
   * Holds a name until the transaction ends, together with others that share it, or alone: then it waits until they have ended,
   * and those that come later wait for it. (The embedded engine has nothing to do.)
   */
  hold(name: string, how: 'shared' | 'alone'): Promise<void>;

  /** Reports a change to other processes, and to the caches of this one, when the transaction is committed. */
  changed(kind: ChangeKind, id: string): void;
}

export interface TransactionOptions {
  /**
   * `kept` for what must go on while ordinary transactions take all the connections that they may: what moderators do,
   * leases, the outbox, jobs, and the end of sessions. Some connections are kept for these. (The embedded engine has one
   * writer for all.)
   */
  readonly connection?: 'ordinary' | 'kept';

  /**
   * Is called once, as soon as it is certain that the transaction is committed, while the caller may still have to wait: for
   * other processes that have to hear of it, or for its events. Must not throw.
   */
  readonly onCommit?: () => void;
}

/** Options of a transaction that must not wait for ordinary ones. */
export const KEPT = { connection: 'kept' } as const satisfies TransactionOptions;

/**
 * The instance's tables. A transaction that has resolved survives a power loss. One that has rejected was rolled back,
 * unless the connection was lost during its commit. Then the next read shows the outcome, which no longer changes.
 */
export interface Database extends AsyncDisposable {
  /** For single reads. They see what is committed, and do not wait for transactions. */
  readonly reader: Reader;

  /**
   * Runs `work` in a transaction and commits it. Rolls back and rejects if `work` rejects. After a statement has
   * failed, the transaction runs no others and is rolled back, even if `work` catches the error and resolves.
   *
   * Transactions run at the same time, and each statement sees what was committed before it began (READ COMMITTED).
   * Read with `forUpdate()` what must not change until the commit, and use a unique constraint for what may exist only
   * once. Locks have ranks, as docs/locks.md has them. (The embedded engine runs transactions one after another, so it
   * needs no locks and ignores them.)
   *
   * `work` may run again after a deadlock or a serialization failure, so it must do nothing but call the transaction.
   * Above all it must not wait for a server: the embedded engine rolls it back if it keeps others waiting for 250 ms.
   */
  transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;

  /**
   * The number of transactions that may run at the same time before they get in each other's way: 1 if the engine runs
   * them one after another.
   */
  readonly atOnce: number;

  /** Calls `listener` with the changes of every process, until the returned function is called. */
  onChange(listener: ChangeListener): () => void;

  /**
   * Calls listeners with the committed changes that this process knows of. It always knows its own. With an embedded
   * engine it also knows all changes of other processes, otherwise those that were committed up to some milliseconds
   * ago. Returns false if this process may be missing changes: then no cache may be trusted.
   */
  hearChanges(): boolean;
}
