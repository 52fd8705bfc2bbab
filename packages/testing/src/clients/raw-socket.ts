import { connect, type Socket } from 'node:net';
import {
  clientFrame,
  OPCODES,
  readFrame,
  type Frame,
  type FrameOptions,
} from './web-socket-frames.ts';

/** Differences of a client's handshake from the default. */
export interface HandshakeOptions {
  /** Path and query. */
  readonly target?: string;
  /** Further header lines. */
  readonly headers?: readonly string[];
  /** Bytes that are sent right after the handshake, without waiting for the answer. */
  readonly afterHandshake?: Uint8Array;
  /** True if its own direction stays open after the gateway has ended the other one. */
  readonly staysHalfOpen?: boolean;
}

/** A client of the gateway that controls every byte, for things that a WebSocket client does not do. */
export class RawSocket implements Disposable {
  /** The status line and headers of the answer to the handshake. */
  readonly head: string;
  readonly frames: Frame[] = [];
  /** Resolves when the gateway has ended the connection and everything that it sent was read. */
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  #unread: Buffer;
  #hasEnded = false;
  #wake: () => void = () => {};

  private constructor(socket: Socket, { head, rest }: { head: string; rest: Buffer }) {
    this.head = head;
    this.#socket = socket;
    this.#unread = rest;
    this.#readFrames();
    socket.on('data', (chunk) => {
      this.#unread = Buffer.concat([this.#unread, Buffer.from(chunk)]);
      this.#readFrames();
    });
    this.ended = new Promise((resolve) => {
      socket.on('close', () => {
        this.#hasEnded = true;
        this.#wake();
        resolve();
      });
    });
  }

  /** Connects to the host and port of `url` and resolves with the answer to the handshake, whatever it is. */
  static async connect(url: string, options: HandshakeOptions = {}): Promise<RawSocket> {
    const { hostname, port } = new URL(url);
    const allowHalfOpen = options.staysHalfOpen ?? false;
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen });
    // Some tests cut connections; those end like the others.
    socket.on('error', () => {});
    socket.write(
      Buffer.concat([Buffer.from(handshake(options)), options.afterHandshake ?? Buffer.of()]),
    );
    return new RawSocket(socket, await readHead(socket));
  }

  /** The close frame, if it has come. */
  get closed(): { readonly code: number; readonly reason: string } | undefined {
    const frame = this.frames.find(({ opcode }) => opcode === OPCODES.close);
    if (frame === undefined) return undefined;
    return { code: frame.payload.readUInt16BE(0), reason: frame.payload.toString('utf8', 2) };
  }

  /** The text payloads that came. */
  get texts(): string[] {
    const texts = this.frames.filter(({ opcode }) => opcode === OPCODES.text);
    return texts.map(({ payload }) => payload.toString());
  }

  /** Sends a frame, masked as a client's must be. */
  send(opcode: number, payload: string | Uint8Array, options?: FrameOptions): void {
    this.write(clientFrame(opcode, payload, options));
  }

  /** Sends a text frame. */
  sendText(text: string): void {
    this.send(OPCODES.text, text);
  }

  /** Sends bytes unchanged. */
  write(bytes: string | Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** Stops reading, so that everything that comes stays in the system's buffers. */
  stopReading(): void {
    this.#socket.pause();
  }

  readOn(): void {
    this.#socket.resume();
  }

  /** Resolves when `isMet`, which is checked whenever something comes. Rejects if the connection ends first. */
  async until(isMet: () => boolean): Promise<void> {
    while (!isMet()) {
      if (this.#hasEnded) throw new Error(`ended before, with ${JSON.stringify(this.closed)}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #readFrames(): void {
    for (
      let frame = readFrame(this.#unread);
      frame !== undefined;
      frame = readFrame(this.#unread)
    ) {
      this.frames.push(frame);
      this.#unread = this.#unread.subarray(frame.bytes.byteLength);
    }
    this.#wake();
  }
}

/** The lines that open a WebSocket. */
export function handshake({ target = '/', headers = [] }: HandshakeOptions = {}): string {
  return [
    `GET ${target} HTTP/1.1`,
    'Host: hearth.test',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
    '',
    '',
  ].join('\r\n');
}

function readHead(socket: Socket): Promise<{ head: string; rest: Buffer }> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const onData = (chunk: Uint8Array) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf('\r\n\r\n');
      if (end === -1) return;
      socket.off('data', onData);
      resolve({ head: received.toString('latin1', 0, end), rest: received.subarray(end + 4) });
    };
    socket.on('data', onData);
    socket.once('close', () => reject(new Error('ended before the handshake was answered')));
  });
}
