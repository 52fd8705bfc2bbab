import type { SqliteFile } from '../../runtime/sqlite.ts';
import type { Change, Database, ManyStatement, Statement, Transaction } from './database.ts';
import type { KyselyOn } from './kysely-on.ts';
import type { StoredForms } from './stored-forms.ts';
import { WorkTimer } from './work-timer.ts';
import { beginImmediate, rollBack } from './sqlite-busy.ts';
import { noteChanges } from './sqlite-changes.ts';
import { SqliteTransactionConnection } from './sqlite-kysely.ts';
import { TransactionChanges } from './transaction-changes.ts';

/** The time in milliseconds for which transactions may join a commit that others already wait for. */
const GATHER_MS = 50;

/** A transaction that waits for its turn or for its commit. */
interface Job {
  /** Does the work. Throws if it has to be rolled back. */
  readonly run: () => Promise<void>;
  readonly commit: () => void;
  readonly fail: (error: unknown) => void;
}

/** Options of a writer. */
export interface SqliteWriterOptions {
  readonly file: SqliteFile;
  readonly kysely: KyselyOn;
  readonly forms: StoredForms;
  /** Runs after each commit, before its transactions resolve. */
  readonly onCommit: () => void;
}

/**
 * Runs transactions one after another, each in a savepoint. Transactions that wait for their turn share one commit, and
 * resolve after it.
 */
export class SqliteWriter {
  readonly #options: SqliteWriterOptions;
  readonly #timer = new WorkTimer();
  #waiting: Job[] = [];
  #isRunning = false;

  constructor(options: SqliteWriterOptions) {
    this.#options = options;
  }

  transaction: Database['transaction'] = (work, { onCommit } = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof work>>>();
    let commit = () => {};
    this.#waiting.push({
      run: async () => {
        const result = await this.#workIn(work);
        commit = () => {
          onCommit?.();
          resolve(result);
        };
      },
      commit: () => commit(),
      fail: reject,
    });
    if (!this.#isRunning) void this.#run();
    return promise;
  };

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await this.#runGroup();
      // Without this, other work of this process and other processes would starve while transactions keep coming.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#timer.stop();
    this.#isRunning = false;
  }

  // Never rejects, because then nothing would run later transactions.
  async #runGroup(): Promise<void> {
    const { file, onCommit } = this.#options;
    const begun = [...this.#waiting];
    const done: Job[] = [];
    try {
      // There is something to roll back only if an earlier rollback failed.
      rollBack(file);
      await beginImmediate(file);
    } catch (error) {
      // These have all waited until the attempt to begin timed out.
      this.#waiting = this.#waiting.filter((job) => !begun.includes(job));
      for (const job of begun) job.fail(error);
      return;
    }
    try {
      await this.#runWaiting(done);
      if (!file.isInTransaction) {
        // SQLite has ended the whole transaction, as it does if the disk is full, or the file is closed. The others run again.
        this.#waiting.unshift(...done);
        return;
      }
      file.change('commit', []);
    } catch (error) {
      for (const job of done) job.fail(error);
      attempt(() => rollBack(file));
      return;
    }
    // Changes that are not reported now are reported the next time.
    attempt(onCommit);
    for (const job of done) job.commit();
  }

  /** Runs waiting jobs, and those that arrive meanwhile, in the open transaction. Adds those to commit to `done`. */
  async #runWaiting(done: Job[]): Promise<void> {
    const { file } = this.#options;
    const startedAtMs = performance.now();
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
      // A savepoint costs a copy of each page that is changed. What is alone in the transaction needs none.
      const isAlone = done.length === 0;
      try {
        if (!isAlone) file.change('savepoint work', []);
        await job.run();
        done.push(job);
      } catch (error) {
        job.fail(error);
        if (!file.isInTransaction) return;
        if (isAlone) return rollBack(file);
        file.change('rollback to work', []);
      }
      if (!isAlone) file.change('release work', []);
      if (performance.now() - startedAtMs > GATHER_MS) return;
    }
  }

  async #workIn<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const { file, kysely, forms } = this.#options;
    const connection = new SqliteTransactionConnection(file, forms);
    const changes = new TransactionChanges();
    const tx = transactionOn(connection, { kysely, changes });
    try {
      const result = await this.#timer.inTime(work(tx));
      connection.requireNoFailure();
      noteChanges(file, changes.list());
      return result;
    } finally {
      connection.end();
    }
  }
}

/** Runs something that may fail without harm. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}

function transactionOn(
  connection: SqliteTransactionConnection,
  { kysely, changes }: { readonly kysely: KyselyOn; readonly changes: TransactionChanges },
): Transaction {
  let writer: Transaction['sql'] | undefined;
  return {
    get sql() {
      return (writer ??= kysely.writer(connection));
    },
    run: async (statement) => connection.change(statement),
    rows: async <Row>(statement: Statement) => connection.rows<Row>(statement),
    many: async <Row>(statement: ManyStatement) => connection.many<Row>(statement),
    runMany: async (statement) => connection.changeMany(statement),
    hold: async () => {},
    changed: (kind, id) => changes.add({ kind, id } satisfies Change),
  };
}
