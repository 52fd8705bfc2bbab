import type { Notification } from 'pg';
import { PostgresConnection, type PostgresConfig } from './postgres-connection.ts';

/** How often a connection is asked whether it is well, in milliseconds. */
const PING_MS = 1_000;

/** How long after the last sign of life a connection counts as well, in milliseconds. */
const WELL_MS = 2_500;

/** How long after a failure the next attempt is made, in milliseconds; each time twice as long. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 1_000;

/** What is done with a connection that is kept. */
export interface KeptUse {
  /** Runs on each new connection before it counts; may throw to refuse it. */
  setUp(
    query: (text: string, values?: readonly unknown[]) => Promise<readonly unknown[]>,
  ): Promise<void>;
  onUp?(): void;
  /** The server has answered, to the first question or to a later one. */
  onAnswer?(): void;
  onDown?(error: Error): void;
  /** A later connection was not to be had, or was refused. */
  onRefused?(error: unknown): void;
  onNotification?(notification: Notification): void;
}

/** A connection of its own that is made again whenever it is lost. */
export class KeptConnection implements AsyncDisposable {
  readonly #config: PostgresConfig;
  readonly #use: KeptUse;
  #connection: PostgresConnection | undefined;
  /** When that was asked which was answered last. */
  #wellAtMs = 0;
  #wake = () => {};
  #isConnecting = false;
  #isEnded = false;
  #running: Promise<void> = Promise.resolve();

  private constructor(config: PostgresConfig, use: KeptUse) {
    this.#config = config;
    this.#use = use;
  }

  /** Rejects where the first connection is not had. */
  static async open(config: PostgresConfig, use: KeptUse): Promise<KeptConnection> {
    const kept = new KeptConnection(config, use);
    await kept.#connect();
    kept.#running = kept.#run();
    return kept;
  }

  /** Whether the server is known to be there, as of 2.5 s ago at the most. */
  get isWell(): boolean {
    return this.#connection?.isOpen === true && performance.now() - this.#wellAtMs < WELL_MS;
  }

  /** Waits for no attempt to connect: a connection that comes of one is closed as soon as it is there. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    this.#wake();
    await this.#connection?.close();
    if (!this.#isConnecting) await this.#running;
  }

  async #connect(): Promise<void> {
    const startedAtMs = performance.now();
    const connection = await PostgresConnection.open(this.#config);
    connection.onNotification((notification) => this.#use.onNotification?.(notification));
    try {
      await this.#use.setUp(async (text, values = []) => {
        const { rows } = await connection.query({ text, values }, this.#config.timeoutMs);
        return rows;
      });
    } catch (error) {
      await connection.close();
      throw error;
    }
    [this.#connection, this.#wellAtMs] = [connection, startedAtMs];
    if (this.#isEnded) return;
    this.#use.onUp?.();
    this.#use.onAnswer?.();
  }

  async #run(): Promise<void> {
    while (!this.#isEnded) {
      const error = await this.#untilLost();
      if (this.#isEnded) return;
      this.#use.onDown?.(error);
      await this.#reconnect();
    }
    await this.#connection?.close();
  }

  async #untilLost(): Promise<Error> {
    const connection = this.#connection;
    if (connection === undefined) throw new TypeError('there is no connection to be lost');
    const lost = connection.lost.then(() => this.#wake());
    while (connection.isOpen) {
      await this.#pause(PING_MS);
      if (!connection.isOpen) break;
      const askedAtMs = performance.now();
      // An error of any kind says that the connection is not what it should be.
      await connection.query({ text: 'select 1', values: [] }, this.#config.timeoutMs).then(
        () => {
          this.#wellAtMs = askedAtMs;
          this.#use.onAnswer?.();
        },
        () => connection.destroy(),
      );
    }
    await lost;
    return connection.lost;
  }

  async #reconnect(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!this.#isEnded) {
      this.#isConnecting = true;
      try {
        await this.#connect();
        return;
      } catch (error) {
        if (!this.#isEnded) this.#use.onRefused?.(error);
      } finally {
        this.#isConnecting = false;
      }
      await this.#pause(retryMs);
      retryMs = Math.min(2 * retryMs, LAST_RETRY_MS);
    }
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isEnded) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
  }
}
