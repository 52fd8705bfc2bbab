import { connect, createServer, type Server, type Socket } from 'node:net';

/** A relay between clients and a server that a test can cut and hold. */
export class TcpRelay implements AsyncDisposable {
  readonly port: number;
  readonly #target: number;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #isCut = false;
  #isHeld = false;

  private constructor(server: Server, ports: { readonly own: number; readonly target: number }) {
    this.#server = server;
    this.port = ports.own;
    this.#target = ports.target;
    server.on('connection', (client) => this.#join(client));
  }

  /** Listens on a free port of 127.0.0.1 for a server on its port `target`, which may come and go. */
  static async to(target: number): Promise<TcpRelay> {
    const server = createServer();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return new TcpRelay(server, { own: address.port, target });
  }

  /** The number of connections. */
  get connections(): number {
    return this.#pairs.size;
  }

  /** Ends all connections, and every new one, until {@link mend}. */
  cut(): void {
    this.#isCut = true;
    for (const pair of this.#pairs) pair.end();
  }

  /** Passes nothing on in either direction until {@link mend}, but keeps the connections. */
  hold(): void {
    this.#isHeld = true;
    for (const pair of this.#pairs) pair.hold(true);
  }

  /** Restores the normal state. */
  mend(): void {
    this.#isCut = false;
    this.#isHeld = false;
    for (const pair of this.#pairs) pair.hold(false);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const pair of this.#pairs) pair.end();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #join(client: Socket): void {
    if (this.#isCut) {
      client.on('error', () => {});
      client.resetAndDestroy();
      return;
    }
    const pair = new Pair(client, connect(this.#target, '127.0.0.1'), () => {
      this.#pairs.delete(pair);
    });
    this.#pairs.add(pair);
    if (this.#isHeld) pair.hold(true);
  }
}

/** A client's connection, and the one to the server for it. */
class Pair {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #onEnd: () => void;
  #isHeld = false;

  constructor(client: Socket, server: Socket, onEnd: () => void) {
    this.#client = client;
    this.#server = server;
    this.#onEnd = onEnd;
    for (const socket of [client, server]) {
      socket.on('error', () => this.end());
      socket.on('close', () => this.end());
      socket.on('end', () => (socket === client ? server : client).end());
    }
    client.on('data', (chunk) => {
      if (!server.write(chunk)) client.pause();
    });
    server.on('data', (chunk) => {
      if (!client.write(chunk)) server.pause();
    });
    client.on('drain', () => {
      if (!this.#isHeld) server.resume();
    });
    server.on('drain', () => {
      if (!this.#isHeld) client.resume();
    });
  }

  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    for (const socket of [this.#client, this.#server]) {
      if (isHeld) socket.pause();
      else socket.resume();
    }
  }

  end(): void {
    this.#client.destroy();
    this.#server.destroy();
    this.#onEnd();
  }
}
