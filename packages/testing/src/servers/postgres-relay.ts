import { connect, createServer, type Socket } from 'node:net';

/** A relay to a PostgreSQL that can cut connections or stop answering. */
export interface PostgresRelay extends AsyncDisposable {
  /** The address of a database through the relay. */
  through(url: string): string;
  /** Ends all open connections, and every new one until `restore`. */
  cut(): void;
  /** Passes on nothing, on all connections and in both directions, until `restore`. Bytes that are sent are kept. */
  hold(): void;
  /** Holds the next connection that sends something with `text` in it, before or after that piece is passed on. */
  holdAt(text: string, how: 'before' | 'after'): void;
  /** Holds the connections on which databases hear of changes, until `restore`. */
  holdChanges(): void;
  /** Passes on everything that was held, even from connections whose other end is gone. */
  restore(): void;
}

/** The statement that is sent only on a connection that hears of changes. */
const LISTEN = 'listen hearth_changes';

/** A client's connection, and the relay's connection for it. */
class Passage {
  readonly #sockets: readonly Socket[];
  #held: (() => void)[] | undefined;

  constructor(client: Socket, upstream: Socket, onData: (passage: Passage, data: Buffer) => void) {
    this.#sockets = [client, upstream];
    for (const socket of this.#sockets) socket.on('error', () => {});
    client.on('data', (data: Buffer) => onData(this, data));
    upstream.on('data', (data: Buffer) => this.pass(() => client.write(data)));
    client.on('close', () => this.pass(() => upstream.end()));
    upstream.on('close', () => this.pass(() => client.destroy()));
  }

  pass(action: () => void): void {
    if (this.#held === undefined) action();
    else this.#held.push(action);
  }

  hold(): void {
    this.#held ??= [];
  }

  restore(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const action of held) action();
  }

  cut(): void {
    this.#held = undefined;
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Listens on a free port and passes everything on to `target`, a port of 127.0.0.1. */
export async function startPostgresRelay(target: number): Promise<PostgresRelay> {
  let state: 'open' | 'held' | 'cut' = 'open';
  let watched: { readonly text: string; readonly how: 'before' | 'after' } | undefined;
  const passages: Passage[] = [];
  const listening = new Set<Passage>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const passage = new Passage(client, upstream, (own, data) => {
      if (data.includes(LISTEN)) listening.add(own);
      const holding = watched !== undefined && data.includes(watched.text) ? watched : undefined;
      if (holding !== undefined) watched = undefined;
      if (holding?.how === 'before') own.hold();
      own.pass(() => upstream.write(data));
      if (holding?.how === 'after') own.hold();
    });
    passages.push(passage);
    if (state === 'held') passage.hold();
    if (state === 'cut') passage.cut();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    through: (url) => url.replace(`:${target}/`, `:${port}/`),
    cut() {
      state = 'cut';
      for (const passage of passages) passage.cut();
    },
    hold() {
      state = 'held';
      for (const passage of passages) passage.hold();
    },
    holdAt(text, how) {
      watched = { text, how };
    },
    holdChanges() {
      for (const passage of listening) passage.hold();
    },
    restore() {
      state = 'open';
      for (const passage of passages) passage.restore();
    },
    async [Symbol.asyncDispose]() {
      state = 'cut';
      for (const passage of passages) passage.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
