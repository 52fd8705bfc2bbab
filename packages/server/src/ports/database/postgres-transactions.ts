import { errorCode } from '../../lib/error-code.ts';
import type { ChangeListeners } from './change-listeners.ts';
import type {
  Change,
  Database,
  ManyStatement,
  Statement,
  Transaction,
  TransactionOptions,
} from './database.ts';
import type { KyselyOn } from './kysely-on.ts';
import { failedStatementError } from './failed-statement-error.ts';
import type { Announcement, PostgresChanges } from './postgres-changes.ts';
import { LEAST_LEFT_MS, PostgresDeadline } from './postgres-deadline.ts';
import { LOCKS } from './postgres-locks.ts';
import { statementWithArrays } from './many-statement.ts';
import type { Query } from './postgres-connection.ts';
import { LeaseConnection } from './postgres-kysely.ts';
import type { Lease, PostgresPool } from './postgres-pool.ts';
import type { StoredForms } from './stored-forms.ts';
import { TransactionChanges } from './transaction-changes.ts';

/** Begins a transaction that may write, and whose statements each see what was committed before them. */
export const BEGIN = 'begin isolation level read committed read write';

/** PostgreSQL's codes for a serialization failure and a deadlock: transactions that did nothing wrong were in each other's way. */
const COLLISION_CODES = ['40001', '40P01'];

/**
 * PostgreSQL's code for a key that another transaction has added since this one looked for it: the next attempt finds
 * it.
 */
const DUPLICATE_CODE = '23505';

const MOST_ATTEMPTS = 6;
const FIRST_RETRY_MS = 5;

const HOLD = {
  shared: `select pg_advisory_xact_lock_shared(${LOCKS.names}, hashtext($1))`,
  alone: `select pg_advisory_xact_lock(${LOCKS.names}, hashtext($1))`,
};

/** The time in milliseconds that the end of a transaction may take, even if less time is left. */
const END_MS = 250;

/** Parts on which transactions run. */
export interface TransactionParts {
  readonly pool: PostgresPool;
  readonly kysely: KyselyOn;
  readonly forms: StoredForms;
  readonly listeners: ChangeListeners;
  readonly changes: Pick<PostgresChanges, 'announce'>;
}

interface Committed<Result> {
  readonly result: Result;
  readonly announced: Announcement | undefined;
}

/** Runs transactions on connections of a pool. */
export class PostgresTransactions {
  readonly #parts: TransactionParts;
  readonly #names = new Map<string, string>();

  constructor(parts: TransactionParts) {
    this.#parts = parts;
  }

  transaction: Database['transaction'] = async (work, options = {}) => {
    const { result, announced } = await this.#transaction(work, options);
    if (announced === undefined) return result;
    using _announced = announced;
    await announced.heard();
    return result;
  };

  async #transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    options: TransactionOptions,
  ): Promise<Committed<Result>> {
    const { pool } = this.#parts;
    let startedAtMs = performance.now();
    const leftMs = () => pool.timeoutMs - (performance.now() - startedAtMs);
    using _permit = await pool.permit(options.connection ?? 'ordinary');
    for (let attempt = 1; ; attempt += 1) {
      try {
        const committed = await this.#attempt(work, leftMs());
        options.onCommit?.();
        return committed;
      } catch (error) {
        const code = errorCode(error) ?? '';
        const isCollision = COLLISION_CODES.includes(code);
        if (!isCollision && code !== DUPLICATE_CODE) throw error;
        if (attempt === MOST_ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, retryMs(attempt)));
        // PostgreSQL looks for a deadlock after a second, and the server has answered: the next attempt has all of the time.
        if (isCollision) startedAtMs = performance.now();
        if (leftMs() < LEAST_LEFT_MS) throw error;
      }
    }
  }

  async #attempt<Result>(
    work: (tx: Transaction) => Promise<Result>,
    timeoutMs: number,
  ): Promise<Committed<Result>> {
    const { pool } = this.#parts;
    const lease = await pool.lease(timeoutMs);
    const deadline = new PostgresDeadline(lease, pool.timeoutMs);
    let isOver = false;
    let announced: Announcement | undefined;
    try {
      const changes = new TransactionChanges();
      await deadline.begin(BEGIN);
      const result = await this.#workOn(deadline, work, changes);
      announced = await this.#parts.changes.announce(deadline, changes.list());
      isOver = true;
      await this.#commit(lease, changes.list());
      return { result, announced };
    } catch (error) {
      announced?.[Symbol.dispose]();
      throw error;
    } finally {
      // If this fails, the connection is destroyed, which also ends the transaction.
      if (!isOver) await lease.query({ text: 'rollback', values: [] }, END_MS).catch(() => {});
      lease.release();
    }
  }

  async #workOn<Result>(
    lease: Pick<Lease, 'query'>,
    work: (tx: Transaction) => Promise<Result>,
    changes: TransactionChanges,
  ): Promise<Result> {
    const connection = new LeaseConnection(lease, this.#parts.forms);
    try {
      return await work({
        sql: this.#parts.kysely.writer(connection),
        run: async (statement) => {
          const { rowCount } = await connection.query(this.#prepared(statement));
          return rowCount;
        },
        rows: async <Row>(statement: Statement) => {
          const { rows } = await connection.query<Row>(this.#prepared(statement));
          return rows;
        },
        many: async <Row>(statement: ManyStatement) => {
          if (statement.rows.length === 0) return [];
          const { rows } = await connection.query<Row>(this.#preparedForMany(statement));
          return rows;
        },
        runMany: async (statement) => {
          if (statement.rows.length === 0) return 0;
          const { rowCount } = await connection.query(this.#preparedForMany(statement));
          return rowCount;
        },
        hold: async (name, how) => {
          await connection.lease.query(this.#prepared({ text: HOLD[how], values: [name] }));
        },
        changed: (kind, id) => changes.add({ kind, id }),
      });
    } finally {
      connection.end();
    }
  }

  async #commit(lease: Lease, changes: readonly Change[]): Promise<void> {
    const { listeners } = this.#parts;
    let command: string;
    try {
      ({ command } = await lease.query({ text: 'commit', values: [] }, END_MS));
    } catch (error) {
      lease.noteUnknownCommit();
      if (changes.length > 0) listeners.notify('unknown');
      throw error;
    }
    // PostgreSQL answers a commit like this if `work` has hidden the failure of a statement.
    if (command === 'ROLLBACK') throw failedStatementError();
    // Listeners are called before the announcement arrives, because the caller may read right after the commit.
    listeners.notify(changes);
  }

  /** The name under which connections keep a statement prepared. */
  #prepared({ text: unlocked, values, locks }: Statement): Query {
    const text = locks === undefined ? unlocked : `${unlocked} ${locks}`;
    return { name: this.#nameOf(text), text, values };
  }

  #preparedForMany(statement: ManyStatement): Query {
    const { text, values } = statementWithArrays(statement);
    return { name: this.#nameOf(text), text, values };
  }

  #nameOf(text: Statement['text']): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const name = `hearth_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}

// Doubles each time, with a random part, so that transactions that collided do not collide again.
function retryMs(attempt: number): number {
  return FIRST_RETRY_MS * 2 ** attempt * Math.random();
}
