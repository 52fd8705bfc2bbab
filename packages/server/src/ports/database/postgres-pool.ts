import type { QueryResult } from 'pg';
import { ConnectionPermits, type ConnectionUse } from './connection-permits.ts';
import { PostgresConnection, type PostgresConfig, type Query } from './postgres-connection.ts';
import { isNoAnswer, noAnswerError } from './postgres-error.ts';
import { hasNoRoom, RoomQueue } from './room-queue.ts';

/** The time in milliseconds after which connections are closed that were not used in it. Others may need the room. */
const TIDY_PERIOD_MS = 10_000;

/** A server counts as silent only after so long without an answer, in milliseconds. It is checked once a second. */
const SILENT_MS = 2_000;

/** Options of a pool. */
export interface PoolOptions {
  readonly config: PostgresConfig;
  readonly maxConnections: number;
  /** Is called again and again while operations wait because the server has no room for another connection. */
  readonly onFull?: () => void;
}

/** The time in milliseconds between two checks whether a commit is decided. */
const DECISION_POLL_MS = 20;

// A transaction holds a lock on its own number until it ends.
const UNDECIDED = `select 1 from pg_locks
  where locktype = 'virtualxid' and pid = any($1::integer[]) and pid <> pg_backend_pid()`;

/** A connection for one operation, and the time that the operation has left. */
export interface Lease {
  /** The time that its queries have left, in milliseconds. */
  readonly leftMs: number;
  /** Rejects if no time is left. The statement that ends a transaction may get `leastMs` in any case. */
  query(query: Query, leastMs?: number): Promise<QueryResult>;
  /** Notes that the outcome of a commit on this connection is unknown. Later operations wait until it is decided. */
  noteUnknownCommit(): void;
  /** Returns the connection to the pool. It is not used again if `destroy` is true or if it did not answer. */
  release(destroy?: boolean): void;
}

/** A bounded number of connections. Each is leased to one operation at a time. */
export class PostgresPool implements AsyncDisposable {
  readonly #options: PoolOptions;
  readonly #permits: ConnectionPermits;
  readonly #room: RoomQueue;
  readonly #tidying: NodeJS.Timeout;
  #idle: PostgresConnection[] = [];
  /** The idle connections that were used since unused ones were last closed. */
  readonly #used = new Set<PostgresConnection>();
  /** The server's processes that may still be working on a commit whose outcome is unknown. */
  readonly #undecided = new Set<number>();
  /** True if the server has not answered since an operation timed out. */
  #isSilent = false;
  #answeredAtMs = performance.now();
  #isEnded = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#permits = new ConnectionPermits(options.maxConnections);
    this.#room = new RoomQueue({
      open: () => this.#open(this.timeoutMs),
      onUnwanted: (connection) => this.keep(connection),
      onFull: () => options.onFull?.(),
    });
    this.#tidying = setInterval(() => this.#closeUnused(), TIDY_PERIOD_MS);
    this.#tidying.unref();
  }

  /** The time limit of an operation, from asking for a connection to the last answer, in milliseconds. */
  get timeoutMs(): number {
    return this.#options.config.timeoutMs;
  }

  /**
   * Waits until a connection may be used, and resolves with the permit, which has to be disposed of. Rejects if there is none
   * in time. Rejects at once if the server has not answered since an operation timed out, so that a request with several
   * operations takes no longer than one of them.
   */
  async permit(use: ConnectionUse): Promise<Disposable> {
    if (this.#isSilent) throw noAnswerError();
    const permit = await this.#permits.acquire(use, this.timeoutMs);
    if (permit === undefined) throw noAnswerError();
    return permit;
  }

  /** Leases a connection to who has a permit. Rejects as soon as it is certain that there will be none in time. */
  async lease(timeoutMs: number): Promise<Lease> {
    if (this.#isSilent || timeoutMs <= 0) throw noAnswerError();
    const startedAtMs = performance.now();
    const leftMs = () => timeoutMs - (performance.now() - startedAtMs);
    const connection = await this.#connection(leftMs);
    return this.#leaseOf(connection, leftMs());
  }

  /** Passes an open connection on to who waits for one, or keeps it for later. */
  keep(connection: PostgresConnection): void {
    if (this.#isEnded) {
      void connection.close();
    } else if (!this.#room.give(connection)) {
      this.#idle.push(connection);
      this.#used.add(connection);
    }
  }

  /** Notes that the server has answered, on whichever connection. */
  noteAnswer(): void {
    this.#answeredAtMs = performance.now();
    this.#isSilent = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    clearInterval(this.#tidying);
    this.#room.fail(closedError());
    await this.closeIdle();
  }

  /** Closes the connections that no operation uses now. */
  async closeIdle(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }

  async #connection(leftMs: () => number): Promise<PostgresConnection> {
    if (this.#isEnded) throw closedError();
    const connection = this.#takeIdle() ?? (await this.#newOrReturned(leftMs));
    try {
      while (!(await this.#isDecided(connection, leftMs()))) await passed(DECISION_POLL_MS);
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /** A new connection, or one that another operation returns while the server has no room for a new one. */
  async #newOrReturned(leftMs: () => number): Promise<PostgresConnection> {
    if (!this.#room.isEmpty) return await this.#room.wait(leftMs());
    try {
      return await this.#open(leftMs());
    } catch (error) {
      if (!hasNoRoom(error)) throw error;
      return await this.#room.wait(leftMs(), error);
    }
  }

  #open(withinMs: number): Promise<PostgresConnection> {
    return this.#answered(PostgresConnection.open(this.#options.config, withinMs));
  }

  /** Resolves with whether no earlier commit is still undecided. Such a commit could make untrue what is read now. */
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
      // Waiting for a lock can time out too, but then the server still answers others.
      const isSilent = performance.now() - this.#answeredAtMs > SILENT_MS;
      if (isSilent && isNoAnswer(error)) this.#isSilent = true;
      if (hasNoRoom(error)) this.noteAnswer();
      throw error;
    }
  }

  #takeIdle(): PostgresConnection | undefined {
    for (;;) {
      const connection = this.#idle.pop();
      if (connection?.isOpen !== false) return connection;
    }
  }

  #leaseOf(connection: PostgresConnection, timeMs: number): Lease {
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
      },
    };
  }

  #giveBack(connection: PostgresConnection): void {
    if (!connection.isOpen) {
      // If one connection got no answer, the others may be broken too.
      for (const idle of this.#idle.splice(0)) idle.destroy();
    } else {
      this.keep(connection);
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

/** The time that queries have left. The time between queries does not count. */
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

function closedError(): Error {
  return new Error('the database was closed');
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
