import { accountEventSchema } from '@hearth/protocol/schemas';
import { frameBytes, headBytes } from './frame.ts';
import { closeListener, openListener, type ListenerSocket } from './listener.ts';
import { mostHandshakes } from './most-sockets.ts';
import { within } from './within.ts';

const TARGET = '/?v=2';
const AT_ONCE = 200;
const MOST_MS = 20_000;

/** The byte of a masked client's frame whose length takes two bytes. */
const MASKED_LENGTH_IN_TWO_BYTES = 0x80 | 126;

interface Client {
  readonly token: string;
  socket: ListenerSocket | undefined;
  /** Its places in its streams, as they were sent at the last connection, as JSON. */
  places: string | undefined;
}

/** Sockets of profile 2 that have authenticated, each with its own token, and neither send nor receive anything else. */
export class AccountSockets implements AsyncDisposable {
  readonly #port: number;
  readonly #clients: readonly Client[];

  private constructor(port: number, tokens: readonly string[]) {
    this.#port = port;
    this.#clients = tokens.map((token) => ({ token, socket: undefined, places: undefined }));
  }

  /** Connects one socket for each token. Resolves when all are let in. */
  static async connect(port: number, tokens: readonly string[]): Promise<AccountSockets> {
    const sockets = new AccountSockets(port, tokens);
    await sockets.#openAll(port, 'READY');
    return sockets;
  }

  /** Cuts all connections, without a close frame. */
  throwOut(): void {
    for (const client of this.#clients) {
      if (client.socket !== undefined) closeListener(client.socket);
      client.socket = undefined;
    }
  }

  /** Lets all come back as fast as possible, to another gateway if `port` is given. Throws if one is not resumed. */
  async resume(port = this.#port): Promise<void> {
    await this.#openAll(port, 'RESUMED');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.throwOut();
  }

  async #openAll(port: number, answer: 'READY' | 'RESUMED'): Promise<void> {
    const left = this.#clients.values();
    const openMore = async () => {
      for (const client of left) await this.#open(port, client, answer);
    };
    const lanes = Array.from({ length: mostHandshakes(AT_ONCE) }, openMore);
    await within(MOST_MS, Promise.all(lanes), () => `${answer} of some`);
  }

  async #open(port: number, client: Client, expected: string): Promise<void> {
    const answered = Promise.withResolvers<void>();
    let received = Buffer.alloc(0);
    const frames = (_: unknown, chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const hello = frameBytes(received, 0);
      const end = hello === Infinity ? Infinity : hello + frameBytes(received, hello);
      if (end > received.byteLength) return;
      const text = received.toString('utf8', hello + headBytes(received, hello), end);
      const event = accountEventSchema.parse(JSON.parse(text));
      if ((event.op !== 'READY' && event.op !== 'RESUMED') || event.op !== expected) {
        return answered.reject(new Error(`not ${expected}: ${text}`));
      }
      client.places = JSON.stringify(event.d.streams);
      answered.resolve();
    };
    const socket = await openListener(port, { frames, fault: answered.reject }, TARGET);
    client.socket = socket;
    const resume = client.places === undefined ? '' : `,"resume":${client.places}`;
    socket.write(clientFrame(`{"op":"AUTHENTICATE","d":{"token":"${client.token}"${resume}}}`));
    await answered.promise;
  }
}

/** A client's frame of a text of 126 to 65,535 bytes, masked with zeros. */
function clientFrame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = [Math.floor(bytes.byteLength / 256), bytes.byteLength % 256];
  return Buffer.from([0x81, MASKED_LENGTH_IN_TWO_BYTES, ...length, 0, 0, 0, 0, ...bytes]);
}
