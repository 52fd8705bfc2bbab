import type { SqliteFile } from '../../runtime/sqlite.ts';
import type { Change, Database, Transaction } from './database.ts';
import type { KyselyOn } from './kysely-on.ts';
import { beginImmediate, rollBack } from './sqlite-busy.ts';
import { noteChanges } from './sqlite-changes.ts';
import { SqliteTransactionConnection } from './sqlite-kysely.ts';
import { TransactionChanges } from './transaction-changes.ts';

/** How long `work` of a transaction may keep others waiting with anything but calls to its database. */
const WORK_MS = 250;

/** How long transactions go on to join a commit that others wait for. */
const GATHER_MS = 50;

/** A transaction that waits, or whose commit is waited for. */
interface Job {
  /** Does the work. Throws if it is to be rolled back. */
  readonly run: () => Promise<void>;
  readonly commit: () => void;
  readonly fail: (error: unknown) => void;
}

/** What a connection that writes is used with. */
export interface SqliteWriterOptions {
  readonly file: SqliteFile;
  readonly kysely: KyselyOn;
  /** Runs after each commit, before its transactions resolve. */
  readonly onCommit: () => void;
}

/**
 * Runs transactions one after another, each in a savepoint. Those that wait for their turn share one commit, and
 * resolve after it.
 */
export class SqliteWriter {
  readonly #options: SqliteWriterOptions;
  #waiting: Job[] = [];
  #isRunning = false;

  constructor(options: SqliteWriterOptions) {
    this.#options = options;
  }

  transaction: Database['transaction'] = (work) => {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof work>>>();
    let commit = () => {};
    this.#waiting.push({
      run: async () => {
        const result = await this.#workIn(work);
        commit = () => resolve(result);
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
      // So that neither other work of this process nor other processes starve while transactions keep coming.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#isRunning = false;
  }

  // Never rejects: nobody would run what comes later.
  async #runGroup(): Promise<void> {
    const { file, onCommit } = this.#options;
    const begun = [...this.#waiting];
    const done: Job[] = [];
    try {
      // Only if an earlier attempt to do so failed.
      rollBack(file);
      await beginImmediate(file);
    } catch (error) {
      // They have waited for as long as it takes to give up.
      this.#waiting = this.#waiting.filter((job) => !begun.includes(job));
      for (const job of begun) job.fail(error);
      return;
    }
    try {
      await this.#runWaiting(done);
      if (!file.isInTransaction) return;
      file.change('commit', []);
    } catch (error) {
      for (const job of done) job.fail(error);
      attempt(() => rollBack(file));
      return;
    }
    // What nobody has heard of now is heard of the next time.
    attempt(onCommit);
    for (const job of done) job.commit();
  }

  /** Runs what waits, and what comes meanwhile, in the transaction that has begun; adds to `done` what is to be committed. */
  async #runWaiting(done: Job[]): Promise<void> {
    const { file } = this.#options;
    const startedAtMs = performance.now();
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
      try {
        file.change('savepoint work', []);
        await job.run();
        done.push(job);
      } catch (error) {
        job.fail(error);
        if (!file.isInTransaction) {
          // SQLite has ended all of it, as it does when the disk is full: the others are run again, without this one.
          this.#waiting.unshift(...done);
          return;
        }
        file.change('rollback to work', []);
      }
      file.change('release work', []);
      if (performance.now() - startedAtMs > GATHER_MS) return;
    }
  }

  async #workIn<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const { file, kysely } = this.#options;
    const connection = new SqliteTransactionConnection(file);
    const changes = new TransactionChanges();
    const tx = transactionOn(connection, { kysely, changes });
    try {
      const result = await inTime(work(tx));
      connection.requireNoFailure();
      noteChanges(file, changes.list());
      return result;
    } finally {
      connection.end();
    }
  }
}

/** Does what may fail without harm. */
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
    changed: (kind, id) => changes.add({ kind, id } satisfies Change),
  };
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const { promise: isLate, reject } = Promise.withResolvers<never>();
  const error = new Error(`a transaction was rolled back: its work took more than ${WORK_MS} ms`);
  // If it was this process that was held up, the work goes on first.
  const timer = setTimeout(() => setImmediate(() => reject(error)), WORK_MS);
  try {
    return await Promise.race([work, isLate]);
  } finally {
    clearTimeout(timer);
  }
}
