import type { QueryResult } from 'pg';
import { PostgresConnection, type PostgresConfig, type Query } from './postgres-connection.ts';
import { isNoAnswer, noAnswerError } from './postgres-error.ts';
import { Turns } from './turns.ts';

/** How often connections that nobody uses are closed, in milliseconds. */
const TIDY_PERIOD_MS = 60_000;

/** A server that is there is heard of more often, because it is asked every second by who listens to it. */
const SILENT_MS = 2_000;

/** How a pool is made. */
export interface PoolOptions {
  readonly config: PostgresConfig;
  readonly maxConnections: number;
}

/** How often it is looked whether a commit is decided, in milliseconds. */
const DECISION_POLL_MS = 20;

// A transaction has a lock on its own number until it has ended.
const UNDECIDED = `select 1 from pg_locks
  where locktype = 'virtualxid' and pid = any($1::integer[]) and pid <> pg_backend_pid()`;

/** A connection for one operation, with the time that it has left. */
export interface Lease {
  /** The time that its queries have left, in milliseconds. */
  readonly leftMs: number;
  /** Rejects when they have no time left; what ends a transaction may be given some at least. */
  query(query: Query, leastMs?: number): Promise<QueryResult>;
  /** Says that nobody knows whether a commit on this connection has happened: what is asked for next waits until it is decided. */
  noteUnknownCommit(): void;
  /** Gives the connection back; one that is to be destroyed, or that did not answer, is not used again. */
  release(destroy?: boolean): void;
}

/** So many connections at the most, which are handed out to one operation each. */
export class PostgresPool implements AsyncDisposable {
  readonly #options: PoolOptions;
  readonly #turns: Turns;
  readonly #tidying: NodeJS.Timeout;
  #idle: PostgresConnection[] = [];
  /** Of the idle ones, those that were used since connections were tidied up. */
  readonly #used = new Set<PostgresConnection>();
  /** The server's processes that may still be at a commit of which nobody knows. */
  readonly #undecided = new Set<number>();
  /** Whether the last that is known of the server is that it did not answer. */
  #isSilent = false;
  #answeredAtMs = performance.now();
  #isEnded = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#turns = new Turns(options.maxConnections);
    this.#tidying = setInterval(() => this.#closeUnused(), TIDY_PERIOD_MS);
    this.#tidying.unref();
  }

  /** What an operation may take altogether, from asking for a connection to the last answer, in milliseconds. */
  get timeoutMs(): number {
    return this.#options.config.timeoutMs;
  }

  /**
   * Rejects where no connection is had in time, and at once where an operation was not answered and nothing was heard of
   * the server since: what needs several operations takes no longer than one of them then.
   */
  async lease(timeoutMs = this.timeoutMs): Promise<Lease> {
    if (this.#isSilent) throw noAnswerError();
    const startedAtMs = performance.now();
    const leftMs = () => timeoutMs - (performance.now() - startedAtMs);
    const endTurn = await this.#turns.take(timeoutMs);
    try {
      const connection = await this.#connection(leftMs);
      return this.#leaseOf(connection, leftMs(), endTurn);
    } catch (error) {
      endTurn();
      throw error;
    }
  }

  /** Tells that the server has answered somebody. */
  noteAnswer(): void {
    this.#answeredAtMs = performance.now();
    this.#isSilent = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    clearInterval(this.#tidying);
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }

  async #connection(leftMs: () => number): Promise<PostgresConnection> {
    if (this.#isEnded) throw new Error('the database was closed');
    const { config } = this.#options;
    const connection =
      this.#takeIdle() ?? (await this.#answered(PostgresConnection.open(config, leftMs())));
    try {
      while (!(await this.#isDecided(connection, leftMs()))) await passed(DECISION_POLL_MS);
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /** Whether no earlier commit is under way, which could make untrue what is read now. */
  async #isDecided(connection: PostgresConnection, leftMs: number): Promise<boolean> {
    if (this.#undecided.size === 0) return true;
    const asked = [...this.#undecided];
    const query = { text: UNDECIDED, values: [asked] };
    const { rowCount } = await this.#answered(connection.query(query, leftMs));
    if (rowCount !== 0) return false;
    for (const pid of asked) this.#undecided.delete(pid);
    return this.#undecided.size === 0;
  }

  async #answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
    try {
      const answer = await asked;
      this.noteAnswer();
      return answer;
    } catch (error) {
      // A lock that others hold is waited for in vain as well, while the server answers them.
      const isSilent = performance.now() - this.#answeredAtMs > SILENT_MS;
      if (isSilent && isNoAnswer(error)) this.#isSilent = true;
      throw error;
    }
  }

  #takeIdle(): PostgresConnection | undefined {
    for (;;) {
      const connection = this.#idle.pop();
      if (connection?.isOpen !== false) return connection;
    }
  }

  #leaseOf(connection: PostgresConnection, timeMs: number, onRelease: () => void): Lease {
    const time = new QueryTime(timeMs);
    return {
      get leftMs() {
        return time.leftMs;
      },
      query: async (query, leastMs = 0) => {
        const timeoutMs = Math.max(time.leftMs, leastMs);
        time.begin();
        try {
          return await this.#answered(connection.query(query, timeoutMs));
        } finally {
          time.end();
        }
      },
      noteUnknownCommit: () => {
        this.#undecided.add(connection.pid);
      },
      release: (destroy) => {
        if (destroy === true) connection.destroy();
        this.#giveBack(connection);
        onRelease();
      },
    };
  }

  #giveBack(connection: PostgresConnection): void {
    if (!connection.isOpen) {
      // What one was not answered on may be lost to all.
      for (const idle of this.#idle.splice(0)) idle.destroy();
    } else if (this.#isEnded) {
      void connection.close();
    } else {
      this.#idle.push(connection);
      this.#used.add(connection);
    }
  }

  #closeUnused(): void {
    for (const connection of this.#idle) {
      if (!this.#used.has(connection)) void connection.close();
    }
    this.#idle = this.#idle.filter(({ isOpen }) => isOpen);
    this.#used.clear();
  }
}

/** The time that queries have left. What is done between them is not the server's. */
class QueryTime {
  #leftMs: number;
  #running = 0;
  #sinceMs = 0;

  constructor(leftMs: number) {
    this.#leftMs = leftMs;
  }

  get leftMs(): number {
    return this.#leftMs - (this.#running > 0 ? performance.now() - this.#sinceMs : 0);
  }

  begin(): void {
    if (this.#running === 0) this.#sinceMs = performance.now();
    this.#running += 1;
  }

  end(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#leftMs -= performance.now() - this.#sinceMs;
  }
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
