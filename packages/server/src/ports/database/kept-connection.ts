import type { Notification } from 'pg';
import { PostgresConnection, type PostgresConfig } from './postgres-connection.ts';

/** The time in milliseconds between two checks of a connection by default. */
const PING_MS = 1_000;

/** The wait after the first failure, in milliseconds. It doubles with each failure, up to `LAST_RETRY_MS`. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 1_000;

/** The use of a kept connection. */
export interface KeptUse {
  /** The time in milliseconds between two checks of the connection; {@link PING_MS} by default. */
  readonly pingMs?: number;
  /** Runs on each new connection before it is used. May throw to refuse the connection. */
  setUp(
    query: (text: string, values?: readonly unknown[]) => Promise<readonly unknown[]>,
  ): Promise<void>;
  onUp?(): void;
  /** Called when the server has answered, after connecting and after each check. */
  onAnswer?(): void;
  onDown?(error: Error): void;
  /** Called when a new connection could not be made, or was refused, after the first one was lost. */
  onRefused?(error: unknown): void;
  onNotification?(notification: Notification): void;
}

/** A connection outside of any pool that is made again whenever it is lost. */
export class KeptConnection implements AsyncDisposable {
  readonly #config: PostgresConfig;
  readonly #use: KeptUse;
  #connection: PostgresConnection | undefined;
  /** When the last check that was answered began. */
  #wellAtMs = 0;
  #wake = () => {};
  #isConnecting = false;
  #isEnded = false;
  #running: Promise<void> = Promise.resolve();

  private constructor(config: PostgresConfig, use: KeptUse) {
    this.#config = config;
    this.#use = use;
  }

  /** Rejects if the first connection cannot be made. */
  static async open(config: PostgresConfig, use: KeptUse): Promise<KeptConnection> {
    const kept = new KeptConnection(config, use);
    await kept.#connect();
    kept.#running = kept.#run();
    return kept;
  }

  /** Returns whether the server has answered, on the present connection, a check that began in the last `ms`. */
  wasWellWithin(ms: number): boolean {
    return this.#connection?.isOpen === true && performance.now() - this.#wellAtMs < ms;
  }

  /** Runs a query on the present connection. Rejects if there is none. */
  async query(text: string, values: readonly unknown[] = []): Promise<readonly unknown[]> {
    const connection = this.#connection;
    if (connection?.isOpen !== true) throw new Error('the connection is lost');
    return (await connection.query({ text, values }, this.#config.timeoutMs)).rows;
  }

  /** Does not wait for an attempt to connect. If one succeeds later, its connection is closed at once. */
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
    if (connection === undefined) throw new TypeError('the connection was never opened');
    const lost = connection.lost.then(() => this.#wake());
    while (connection.isOpen) {
      await this.#pause(this.#use.pingMs ?? PING_MS);
      if (!connection.isOpen) break;
      const askedAtMs = performance.now();
      // After any error, the connection cannot be trusted.
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
