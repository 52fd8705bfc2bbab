import { serverTimeoutMs } from './postgres-connection.ts';
import { noAnswerError } from './postgres-error.ts';
import type { Lease } from './postgres-pool.ts';

/** The time in milliseconds before the end of a transaction's time at which the server has to be done. */
const LEAST_EARLIER_MS = 250;

/** No statement and no further attempt begins if less time than this is left, in milliseconds. */
export const LEAST_LEFT_MS = 50;

/**
 * Runs the queries of a transaction so that the server gives up before the client does. Otherwise the client would
 * mistake a connection that waits for a lock for a broken one, and its pool would make all connections again.
 *
 * A session's timeouts apply to one statement, and the client's time limit to all statements together. So after a
 * transaction has spent noticeable time, the server gets shorter timeouts for the rest of it.
 */
export class PostgresDeadline {
  readonly #lease: Lease;
  #serverMs: number;

  /** `sessionMs` is the client's time limit with which the connection was made. */
  constructor(lease: Lease, sessionMs: number) {
    this.#lease = lease;
    this.#serverMs = serverTimeoutMs(sessionMs);
  }

  /** Begins the transaction, with shorter timeouts from the start if little time is left. */
  async begin(text: string): Promise<void> {
    const shorter = this.#shorter();
    await this.#lease.query({ text: [text, ...shorter].join('; '), values: [] });
  }

  query: Lease['query'] = async (query) => {
    const shorter = this.#shorter();
    if (shorter.length > 0) await this.#lease.query({ text: shorter.join('; '), values: [] });
    return this.#lease.query(query);
  };

  /** The statements that shorten the server's timeouts for the rest of the transaction, if that is necessary. */
  #shorter(): readonly string[] {
    const { leftMs } = this.#lease;
    if (leftMs < LEAST_LEFT_MS) throw noAnswerError();
    if (leftMs - this.#serverMs >= Math.min(LEAST_EARLIER_MS, leftMs / 2)) return [];
    this.#serverMs = serverTimeoutMs(leftMs);
    return ['lock_timeout', 'statement_timeout'].map(
      (name) => `set local ${name} = ${this.#serverMs}`,
    );
  }
}
