import { errorCode } from '../../lib/error-code.ts';
import type { PostgresConnection } from './postgres-connection.ts';

/** PostgreSQL's codes if it takes no connection now, but may soon: it has too many, or is starting or stopping. */
const FULL_CODES = ['53300', '57P03'];

/** The time in milliseconds after which to ask again for a connection. */
const ASK_AGAIN_MS = 100;

/** Returns whether the server has no room for a connection now. */
export function hasNoRoom(error: unknown): boolean {
  return FULL_CODES.includes(errorCode(error) ?? '');
}

export interface RoomQueueOptions {
  /** Opens a connection. */
  readonly open: () => Promise<PostgresConnection>;
  /** Takes a connection for which nobody waits any more. */
  readonly onUnwanted: (connection: PostgresConnection) => void;
  /** Is called whenever the server has refused a connection because it has no room. */
  readonly onFull: () => void;
}

interface Waiting {
  readonly serve: (connection: PostgresConnection) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Callers who wait for a connection while the server has no room for another one. They get what others of this process
 * give back, in the order of their calls. Meanwhile one of them at a time asks the server again.
 */
export class RoomQueue {
  readonly #options: RoomQueueOptions;
  readonly #waiting = new Set<Waiting>();
  /** The error with which the server has refused a connection last. */
  #refusal: unknown;
  #isAsking = false;

  constructor(options: RoomQueueOptions) {
    this.#options = options;
  }

  /** True if nobody waits. */
  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /**
   * Waits for a connection, after the server has refused one, or while others wait. Rejects with the refusal if there is none in
   * time, and with any other error of the server.
   */
  wait(timeoutMs: number, refusal = this.#refusal): Promise<PostgresConnection> {
    this.#refusal = refusal;
    const { promise, resolve, reject } = Promise.withResolvers<PostgresConnection>();
    const timer = setTimeout(() => waiting.fail(this.#refusal), Math.max(0, timeoutMs));
    const end = () => {
      clearTimeout(timer);
      this.#waiting.delete(waiting);
    };
    const waiting: Waiting = {
      serve(connection) {
        end();
        resolve(connection);
      },
      fail(error) {
        end();
        reject(error);
      },
    };
    this.#waiting.add(waiting);
    if (!this.#isAsking) void this.#ask();
    return promise;
  }

  /** Passes a connection to who has waited longest. Returns false if nobody waits. */
  give(connection: PostgresConnection): boolean {
    const [first] = this.#waiting;
    first?.serve(connection);
    return first !== undefined;
  }

  /** Rejects all who wait. */
  fail(error: unknown): void {
    for (const waiting of this.#waiting) waiting.fail(error);
  }

  /** Never rejects. */
  async #ask(): Promise<void> {
    const { open, onUnwanted, onFull } = this.#options;
    this.#isAsking = true;
    for (let isRefused = true; !this.isEmpty;) {
      if (isRefused) {
        onFull();
        await passed(ASK_AGAIN_MS * (0.5 + Math.random()));
      }
      if (this.isEmpty) break;
      try {
        const connection = await open();
        isRefused = false;
        if (!this.give(connection)) onUnwanted(connection);
      } catch (error) {
        isRefused = true;
        this.#refusal = error;
        if (!hasNoRoom(error)) this.fail(error);
      }
    }
    this.#isAsking = false;
  }
}

// With a random part, so that processes that were refused together do not ask together.
function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
