const HEAD_END = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);
const OK = 'HTTP/1.1 200 ';
const LENGTH = 'content-length: ';

/** What is asked for, again and again, of 127.0.0.1. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly port: number;
  readonly path: string;
  readonly body?: string;
}

interface Exchange {
  /** A head that has come in part. */
  head: Buffer;
  receivedBytes: number;
  /** Bytes of the whole answer, or 0 before its head came. */
  answerBytes: number;
  state: 'idle' | 'running' | 'closed';
}

/** What a connection tells. */
export interface KeepAliveEvents {
  /** Its request was answered with status 200. */
  readonly answer: (self: KeepAlive) => void;
  /** Anything else came of its request. */
  readonly fault: (error: Error) => void;
}

/**
 * A connection that sends one and the same request. It is a socket without an HTTP client on it, so that the load
 * costs less than what is measured.
 */
export class KeepAlive implements Disposable {
  readonly #request: HttpRequest;
  readonly #bytes: Uint8Array;
  readonly #events: KeepAliveEvents;
  #socket: Bun.Socket<Exchange> | undefined;

  constructor(request: HttpRequest, events: KeepAliveEvents) {
    this.#request = request;
    this.#bytes = requestBytes(request);
    this.#events = events;
  }

  /** Connects, for the first time or because the server has closed the connection while it was idle. */
  async connect(): Promise<void> {
    if (this.#socket !== undefined && this.#socket.data.state !== 'closed') return;
    this.#socket = await Bun.connect<Exchange>({
      hostname: '127.0.0.1',
      port: this.#request.port,
      data: { head: NOTHING, receivedBytes: 0, answerBytes: 0, state: 'idle' },
      socket: {
        data: ({ data }, chunk) => this.#onData(data, chunk),
        close: ({ data }) => {
          if (data.state === 'running') this.#events.fault(new Error('a connection was cut'));
          data.state = 'closed';
        },
      },
    });
  }

  /** Sends the request. The one before has to be answered. Throws where the system does not take it whole. */
  send(): void {
    if (this.#socket === undefined) throw new Error('not connected');
    this.#socket.data.state = 'running';
    const written = this.#socket.write(this.#bytes);
    if (written !== this.#bytes.byteLength) throw new Error('a request was not taken whole');
  }

  [Symbol.dispose](): void {
    if (this.#socket === undefined) return;
    this.#socket.data.state = 'closed';
    this.#socket.terminate();
  }

  #onData(exchange: Exchange, chunk: Buffer): void {
    if (exchange.answerBytes > 0) {
      exchange.receivedBytes += chunk.byteLength;
    } else {
      const begun = exchange.head === NOTHING ? chunk : Buffer.concat([exchange.head, chunk]);
      if (!begun.includes(HEAD_END)) {
        // A copy, because the chunk's memory is not ours to keep.
        exchange.head = Buffer.from(begun);
        return;
      }
      const length = answerBytes(begun);
      if (length === undefined) {
        return this.#events.fault(new Error(`not a 200: ${begun.toString()}`));
      }
      exchange.head = NOTHING;
      exchange.answerBytes = length;
      exchange.receivedBytes = begun.byteLength;
    }
    if (exchange.receivedBytes < exchange.answerBytes) return;
    exchange.receivedBytes = 0;
    exchange.answerBytes = 0;
    exchange.state = 'idle';
    this.#events.answer(this);
  }
}

/** A request as it goes over the wire. */
export function requestBytes({ method, port, path, body }: HttpRequest): Uint8Array {
  const head = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`];
  if (body !== undefined) head.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

/** Bytes of the answer that `chunk` begins, or undefined where it is none with status 200 and a length. */
function answerBytes(chunk: Buffer): number | undefined {
  const end = chunk.indexOf(HEAD_END);
  if (end === -1) return undefined;
  const head = chunk.toString('latin1', 0, end);
  const at = head.toLowerCase().indexOf(LENGTH);
  if (!head.startsWith(OK) || at === -1) return undefined;
  return end + HEAD_END.length + Number.parseInt(head.slice(at + LENGTH.length), 10);
}
