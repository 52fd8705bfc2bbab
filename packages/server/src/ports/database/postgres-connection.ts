import { Socket } from 'node:net';
import { Client, types, type ClientConfig, type Notification, type QueryResult } from 'pg';
import { errorMessage } from '../../lib/error-code.ts';
import { parsePostgresUrl } from './postgres-address.ts';
import { isNoAnswer, noAnswerError } from './postgres-error.ts';
import { unsupportedServerError } from './unsupported-server-error.ts';

const BIGINT = 20;

/** The time in milliseconds that an orderly close may take. */
const CLOSE_MS = 500;

/**
 * The time in milliseconds by which the server gives up earlier than the client, so that the connection can be kept.
 */
const SERVER_IS_EARLIER_MS = 500;

/** The server's time limit for a statement or a lock if the client waits for `timeoutMs`, in milliseconds. */
export function serverTimeoutMs(timeoutMs: number): number {
  const earlierMs = Math.min(SERVER_IS_EARLIER_MS, timeoutMs / 2);
  return Math.max(1, Math.floor(timeoutMs - earlierMs));
}

/** The options with which connections are made. */
export interface PostgresConfig {
  readonly client: ClientConfig;
  /** The time limit of an operation, in milliseconds. The server's own limits end shortly before it. */
  readonly timeoutMs: number;
}

/** Returns the options of connections to an address. Throws an Error that contains no password. */
export function postgresConfig(url: string, timeoutMs: number): PostgresConfig {
  parsePostgresUrl(url);
  const client: ClientConfig = {
    connectionString: url,
    fallback_application_name: 'hearth',
    keepAlive: true,
    types: { getTypeParser: typeParser },
  };
  try {
    // Reads the files that an address may name, such as certificates.
    new Client(client);
  } catch (error) {
    throw unsupportedServerError(errorMessage(error));
  }
  return { client, timeoutMs };
}

// Guarantee: pg asks for the parser of a type and a format, and applies it to the text of a value.
const typeParser = ((type: number, format?: 'text') =>
  type === BIGINT ? Number : types.getTypeParser(type, format)) as typeof types.getTypeParser;

function sessionSettings(timeoutMs: number): string {
  const serverMs = serverTimeoutMs(timeoutMs);
  return [
    `set statement_timeout = ${serverMs}`,
    `set lock_timeout = ${serverMs}`,
    // A process that was halted in a transaction keeps others from its rows no longer than a statement could.
    `set idle_in_transaction_session_timeout = ${serverMs}`,
    // The locks of a machine that is gone are released some seconds later.
    'set tcp_keepalives_idle = 2',
    'set tcp_keepalives_interval = 1',
    'set tcp_keepalives_count = 3',
    // Transactions that write say so when they begin.
    'set default_transaction_read_only = on',
    // The pid from the handshake may be another one if there is a pooler in between.
    'select pg_backend_pid() as pid',
  ].join('; ');
}

/** A query to a server. */
export interface Query {
  /** The name under which the connection keeps it prepared. A name must always have the same text. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A connection to PostgreSQL on which nothing waits for longer than its time limit. */
export class PostgresConnection {
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #lost = Promise.withResolvers<Error>();
  #isOpen = true;
  #pid = 0;

  private constructor({ client }: PostgresConfig) {
    this.#socket = new Socket();
    this.#client = new Client({ ...client, stream: () => this.#socket });
    // Without a listener an error ends the process.
    this.#client.on('error', (error) => this.#lose(error));
    this.#client.on('end', () => this.#lose(new Error('the connection was closed')));
  }

  /** Connects, within `withinMs` in total. */
  static async open(
    config: PostgresConfig,
    withinMs = config.timeoutMs,
  ): Promise<PostgresConnection> {
    const giveUpAtMs = performance.now() + withinMs;
    const connection = new PostgresConnection(config);
    try {
      await inTime(connection.#client.connect(), withinMs);
      const settings = sessionSettings(config.timeoutMs);
      const leftMs = giveUpAtMs - performance.now();
      connection.#pid = pidOf(await connection.query({ text: settings, values: [] }, leftMs));
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /** The id of the server's process at the other end. */
  get pid(): number {
    return this.#pid;
  }

  /** True if it can be used, as far as is known. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves when the connection is lost or closed. */
  get lost(): Promise<Error> {
    return this.#lost.promise;
  }

  onNotification(listener: (notification: Notification) => void): void {
    this.#client.on('notification', listener);
  }

  /** Runs a query, or several without parameters. After `timeoutMs` it rejects, and the connection is destroyed. */
  async query(query: Query, timeoutMs: number): Promise<QueryResult> {
    if (timeoutMs <= 0) {
      this.destroy();
      throw noAnswerError();
    }
    try {
      const values = query.values.map(storable);
      return await inTime(this.#client.query({ ...query, values }), timeoutMs);
    } catch (error) {
      if (isNoAnswer(error)) this.destroy();
      throw error;
    }
  }

  /** Ends it at once. The server rolls back what is still running, unless that is a commit. */
  destroy(): void {
    this.#lose(noAnswerError());
    this.#socket.destroy();
  }

  /** Ends it, in an orderly way if the server still answers. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await inTime(this.#client.end(), CLOSE_MS).catch(() => {});
    this.destroy();
  }

  #lose(error: Error): void {
    this.#isOpen = false;
    this.#lost.resolve(error);
  }
}

// Guarantee: pg answers several statements with a list of results, and the last one asks for `pid`.
function pidOf(results: unknown): number {
  return (results as readonly QueryResult<{ readonly pid: number }>[]).at(-1)?.rows[0]?.pid ?? 0;
}

// PostgreSQL refuses a text with U+0000, even in a condition. pg replaces lone surrogates in the same way.
function storable(parameter: unknown): unknown {
  if (Array.isArray(parameter)) return parameter.map(storable);
  return typeof parameter === 'string' ? parameter.replaceAll('\0', '\uFFFD') : parameter;
}

async function inTime<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  const { promise: isOver, reject } = Promise.withResolvers<never>();
  // An answer that arrived while this process was busy is read first.
  const timer = setTimeout(
    () => setImmediate(() => reject(noAnswerError())),
    Math.max(0, timeoutMs),
  );
  try {
    return await Promise.race([work, isOver]);
  } finally {
    clearTimeout(timer);
  }
}
