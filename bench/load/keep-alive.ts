const HEAD_END = Buffer.from('\r\n\r\n');
const OK = /^HTTP\/1.1 20[012] /;
const LENGTH = 'content-length: ';

/** The number of bytes of a wrong answer that its error shows. */
const SHOWN_BYTES = 1_000;

/** The time that a connection may be idle before it is replaced: servers close idle connections after 10 s. */
const FRESH_MS = 5_000;

/** The request that is sent again and again, to 127.0.0.1. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly port: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The expected body of every answer, if known. It is compared once per connection, and its length every time. */
  readonly answer?: Uint8Array;
  /** Changes the bytes of the request before each sending, such as what must not be repeated. */
  readonly renew?: (bytes: Uint8Array) => void;
}

interface Exchange {
  /** The received part of an incomplete head. */
  partHead: Buffer | undefined;
  receivedBytes: number;
  /** Bytes of the whole answer, or 0 until its head is complete. */
  answerBytes: number;
  headBytes: number;
  /** True after an answer was compared with the expected one. */
  isCompared: boolean;
  state: 'idle' | 'running' | 'closed';
}

/** The events of a connection. */
export interface KeepAliveEvents {
  /** Its request was answered, with status 200, 201 or 202. */
  readonly answer: (self: KeepAlive) => void;
  /** Its request had any other outcome. */
  readonly fault: (error: Error) => void;
}

/**
 * A connection that sends the same request again and again. It is a plain socket without an HTTP client, so that the
 * load costs less than the server.
 */
export class KeepAlive implements Disposable {
  readonly #request: HttpRequest;
  readonly #bytes: Uint8Array;
  readonly #events: KeepAliveEvents;
  #socket: Bun.Socket<Exchange> | undefined;
  /** When it was connected, or last sent something. */
  #usedAt = 0;

  constructor(request: HttpRequest, events: KeepAliveEvents) {
    this.#request = request;
    this.#bytes = requestBytes(request);
    this.#events = events;
  }

  /** Connects for the first time, or again if the server has closed the idle connection or is about to. */
  async connect(): Promise<void> {
    const isFresh = performance.now() - this.#usedAt < FRESH_MS;
    if (this.#socket !== undefined && this.#socket.data.state !== 'closed' && isFresh) return;
    this[Symbol.dispose]();
    this.#usedAt = performance.now();
    this.#socket = await Bun.connect<Exchange>({
      hostname: '127.0.0.1',
      port: this.#request.port,
      data: {
        partHead: undefined,
        receivedBytes: 0,
        answerBytes: 0,
        headBytes: 0,
        isCompared: false,
        state: 'idle',
      },
      socket: {
        data: ({ data }, chunk) => this.#onData(data, chunk),
        close: ({ data }) => {
          if (data.state === 'running') this.#events.fault(new Error('a connection was cut'));
          data.state = 'closed';
        },
      },
    });
  }

  /** Sends the request. The last one must have been answered. */
  send(): void {
    if (this.#socket === undefined) throw new Error('not connected');
    this.#usedAt = performance.now();
    this.#request.renew?.(this.#bytes);
    this.#socket.data.state = 'running';
    const written = this.#socket.write(this.#bytes);
    if (written === this.#bytes.byteLength) return;
    this.#events.fault(new Error('a request was not sent completely'));
  }

  [Symbol.dispose](): void {
    if (this.#socket === undefined) return;
    this.#socket.data.state = 'closed';
    this.#socket.terminate();
  }

  #onData(exchange: Exchange, chunk: Buffer): void {
    if (exchange.answerBytes === 0 && !this.#takeHead(exchange, chunk)) return;
    if (!exchange.isCompared) this.#compare(exchange, chunk);
    exchange.receivedBytes += chunk.byteLength;
    if (exchange.receivedBytes < exchange.answerBytes) return;
    exchange.receivedBytes = 0;
    exchange.answerBytes = 0;
    exchange.isCompared = true;
    exchange.state = 'idle';
    this.#events.answer(this);
  }

  /** Returns whether the head of the answer is complete now. */
  #takeHead(exchange: Exchange, chunk: Buffer): boolean {
    const { partHead } = exchange;
    const begun = partHead === undefined ? chunk : Buffer.concat([partHead, chunk]);
    const end = begun.indexOf(HEAD_END);
    exchange.receivedBytes = partHead?.byteLength ?? 0;
    exchange.partHead = end === -1 ? begun : undefined;
    if (end === -1) return false;
    const head = begun.toString('latin1', 0, end);
    const at = head.toLowerCase().indexOf(LENGTH);
    if (!OK.test(head) || at === -1) {
      this.#events.fault(new Error(`not a successful answer with a length: ${begun.toString()}`));
      return false;
    }
    const bodyBytes = Number.parseInt(head.slice(at + LENGTH.length), 10);
    const { answer } = this.#request;
    if (answer !== undefined && bodyBytes !== answer.byteLength) {
      this.#events.fault(new Error(`an answer of ${bodyBytes} bytes: ${head}`));
      return false;
    }
    exchange.headBytes = end + HEAD_END.length;
    exchange.answerBytes = exchange.headBytes + bodyBytes;
    return true;
  }

  #compare({ receivedBytes, headBytes }: Exchange, chunk: Buffer): void {
    const { answer } = this.#request;
    if (answer === undefined) return;
    const part = chunk.subarray(Math.max(0, headBytes - receivedBytes));
    const at = Math.max(0, receivedBytes - headBytes);
    if (part.equals(answer.subarray(at, at + part.byteLength))) return;
    this.#events.fault(new Error(`a wrong answer: ${part.toString('utf8', 0, SHOWN_BYTES)}`));
  }
}

/** The bytes of a request. */
export function requestBytes({ method, port, path, headers, body }: HttpRequest): Uint8Array {
  const head = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`];
  for (const [name, value] of Object.entries(headers ?? {})) head.push(`${name}: ${value}`);
  if (body !== undefined) head.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`);
}
