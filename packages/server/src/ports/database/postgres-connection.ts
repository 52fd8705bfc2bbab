import { Socket } from 'node:net';
import { Client, types, type ClientConfig, type Notification, type QueryResult } from 'pg';
import { errorMessage } from '../../lib/error-code.ts';
import { parsePostgresUrl } from './postgres-address.ts';
import { isNoAnswer, noAnswerError } from './postgres-error.ts';
import { unfitError } from './unfit-error.ts';

const BIGINT = 20;

/** How long a connection has to say goodbye, in milliseconds. */
const CLOSE_MS = 500;

/** How long a transaction may do something else, in milliseconds: then the server ends it, and others have its locks. */
const IDLE_IN_TRANSACTION_MS = 5_000;

/** How much earlier the server gives a statement up than the client, which then keeps the connection, in milliseconds. */
const SERVER_IS_EARLIER_MS = 500;

/** How long the server works on a statement, or waits for a lock, if the client waits for `timeoutMs`, in milliseconds. */
export function serverTimeoutMs(timeoutMs: number): number {
  const earlierMs = Math.min(SERVER_IS_EARLIER_MS, timeoutMs / 2);
  return Math.max(1, Math.floor(timeoutMs - earlierMs));
}

/** How connections are made. */
export interface PostgresConfig {
  readonly client: ClientConfig;
  /** What an operation may take altogether, in milliseconds; the server ends what takes about so long. */
  readonly timeoutMs: number;
}

/** How connections to an address are made. Throws an Error that tells no password. */
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
    throw unfitError(errorMessage(error));
  }
  return { client, timeoutMs };
}

// Guarantee: pg asks for the parser of a type and a format, and uses what it is given on the text of a value.
const typeParser = ((type: number, format?: 'text') =>
  type === BIGINT ? Number : types.getTypeParser(type, format)) as typeof types.getTypeParser;

function sessionSettings(timeoutMs: number): string {
  const serverMs = serverTimeoutMs(timeoutMs);
  return [
    `set statement_timeout = ${serverMs}`,
    `set lock_timeout = ${serverMs}`,
    `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
    // The locks of a machine that is gone are given back some seconds later.
    'set tcp_keepalives_idle = 2',
    'set tcp_keepalives_interval = 1',
    'set tcp_keepalives_count = 3',
    // What writes says so.
    'set default_transaction_read_only = on',
    // Not what the server said when it was connected to: that is another one behind a pooler.
    'select pg_backend_pid() as pid',
  ].join('; ');
}

/** What a server is asked. */
export interface Query {
  /** What the connection keeps it prepared under; always the same text then. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A connection to PostgreSQL on which nothing waits for longer than it is told to. */
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

  /** Connects, within `withinMs` altogether. */
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

  /** The server's process at the other end. */
  get pid(): number {
    return this.#pid;
  }

  /** Whether it can be used as far as is known. */
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

  /** The answer to a query, or to several without parameters. Rejects after `timeoutMs`; nobody uses the connection then. */
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

  /** Ends it at once; what the server still does is undone unless it is a commit. */
  destroy(): void {
    this.#lose(noAnswerError());
    this.#socket.destroy();
  }

  /** Ends it, properly where the server listens. */
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

// PostgreSQL refuses a text with U+0000 in it, also one that is only looked for. pg does the same to lone surrogates.
function storable(parameter: unknown): unknown {
  return typeof parameter === 'string' ? parameter.replaceAll('\0', '\uFFFD') : parameter;
}

async function inTime<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  const { promise: isOver, reject } = Promise.withResolvers<never>();
  // An answer that came while this process did something else is read first.
  const timer = setTimeout(() => setImmediate(() => reject(noAnswerError())), timeoutMs);
  try {
    return await Promise.race([work, isOver]);
  } finally {
    clearTimeout(timer);
  }
}
