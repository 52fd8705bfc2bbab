import { connect, createServer, type Server, type Socket } from 'node:net';
import { StatementReader } from '../load/statement-reader.ts';

/**
 * Counts the statements that processes send to PostgreSQL, over a relay. Those that they also send while nothing happens
 * are not counted: the queries of timers, and what begins and ends their transactions.
 */
export class QueryCounter implements AsyncDisposable {
  readonly #server: Server;
  readonly #database: URL;
  readonly #sockets = new Set<Socket>();
  readonly #ignored = new Set<string>();
  #ignores = false;
  #queries = 0;

  private constructor(server: Server, database: URL) {
    this.#server = server;
    this.#database = database;
  }

  /** Listens on a free port of 127.0.0.1 for the database at `url`. */
  static async to(url: string): Promise<QueryCounter> {
    const server = createServer();
    const listening = Promise.withResolvers<void>();
    server.once('error', listening.reject);
    server.listen(0, '127.0.0.1', listening.resolve);
    await listening.promise;
    const counter = new QueryCounter(server, new URL(url));
    server.on('connection', (client) => counter.#join(client));
    return counter;
  }

  /** The address of the database through the relay. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the relay has no port');
    const url = new URL(this.#database);
    url.port = String(address.port);
    return url.href;
  }

  /** The number of statements sent so far. */
  get queries(): number {
    return this.#queries;
  }

  /** From now on, ignores every statement that is sent within the next `milliseconds`, in which nothing may happen. */
  async ignoreIdle(milliseconds: number): Promise<void> {
    this.#ignores = true;
    await Bun.sleep(milliseconds);
    this.#ignores = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const closed = Promise.withResolvers<void>();
    this.#server.close(() => closed.resolve());
    await closed.promise;
  }

  #join(client: Socket): void {
    const server = connect(Number(this.#database.port), this.#database.hostname);
    const reader = new StatementReader();
    client.on('data', (chunk: Buffer) => {
      for (const text of reader.take(chunk)) this.#count(text);
      server.write(chunk);
    });
    server.on('data', (chunk) => client.write(chunk));
    this.#endTogether(client, server);
    this.#endTogether(server, client);
  }

  #count(text: string): void {
    if (this.#ignores) this.#ignored.add(text);
    if (!this.#ignored.has(text)) this.#queries += 1;
  }

  #endTogether(socket: Socket, other: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#sockets.delete(socket);
      other.destroy();
    });
  }
}
