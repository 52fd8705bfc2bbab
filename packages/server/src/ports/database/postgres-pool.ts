import type { QueryResult } from 'pg';
import { PostgresConnection, type PostgresConfig } from './postgres-connection.ts';
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
  /** A statement that has an answer when no transaction of earlier connections is under way any more. */
  readonly barrier: string;
}

/** A connection for one operation, with the time that it has left. */
export interface Lease {
  query(text: string, parameters?: readonly unknown[]): Promise<QueryResult>;
  /** Gives the connection back; one that is to be destroyed, or that did not answer, is not used again. */
  release(destroy?: boolean): void;
}

/** How a lease differs from others. */
export interface LeaseTerms {
  readonly timeoutMs?: number;
  /** Runs when it is given back. */
  readonly onRelease?: () => void;
}

/** So many connections at the most, which are handed out to one operation each. */
export class PostgresPool implements AsyncDisposable {
  readonly #options: PoolOptions;
  readonly #turns: Turns;
  readonly #tidying: NodeJS.Timeout;
  #idle: PostgresConnection[] = [];
  /** Of the idle ones, those that were used since connections were tidied up. */
  readonly #used = new Set<PostgresConnection>();
  #unknownCommits = 0;
  /** How many of them are decided by now. */
  #decidedCommits = 0;
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
  async lease(terms: LeaseTerms = {}): Promise<Lease> {
    if (this.#isSilent) throw noAnswerError();
    const { timeoutMs = this.timeoutMs, onRelease } = terms;
    const startedAtMs = performance.now();
    const leftMs = () => timeoutMs - (performance.now() - startedAtMs);
    const endTurn = await this.#turns.take(timeoutMs);
    try {
      const connection = await this.#connection(leftMs);
      return this.#leaseOf(connection, leftMs(), () => {
        endTurn();
        onRelease?.();
      });
    } catch (error) {
      endTurn();
      throw error;
    }
  }

  /** Tells that nobody knows whether a commit has happened: whatever is asked for next waits until it is decided. */
  noteUnknownCommit(): void {
    this.#unknownCommits += 1;
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
    const { config, barrier } = this.#options;
    const connection =
      this.#takeIdle() ?? (await this.#answered(PostgresConnection.open(config, leftMs())));
    const unknownCommits = this.#unknownCommits;
    if (unknownCommits === this.#decidedCommits) return connection;
    try {
      await this.#answered(connection.query(barrier, [], leftMs()));
      this.#decidedCommits = Math.max(this.#decidedCommits, unknownCommits);
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
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
    let leftMs = timeMs;
    return {
      query: async (text, parameters = []) => {
        const startedAtMs = performance.now();
        try {
          return await this.#answered(connection.query(text, parameters, leftMs));
        } finally {
          // What is done between queries, such as the storing of a file, has a time of its own.
          leftMs -= performance.now() - startedAtMs;
        }
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
