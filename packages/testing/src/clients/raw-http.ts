import { connect, type Socket } from 'node:net';

/** A TCP connection to an HTTP port, for requests that `fetch` does not send. It reads only when it is asked to. */
export class RawConnection implements Disposable {
  readonly #socket: Socket;
  readonly #closed: Promise<void>;
  /**
   * Bytes that have arrived and are not taken yet. Pieces are joined only to be read: to copy all with each new piece
   * is slow.
   */
  #chunks: Buffer<ArrayBuffer>[] = [];
  #sizeBytes = 0;
  #hasEnded = false;
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => {});
    this.#closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.#hasEnded = true;
        this.#wake();
        resolve();
      });
    });
  }

  /** Connects to the host and port of `url`. */
  static async connect(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.pause();
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => resolve());
      socket.once('error', reject);
    });
    return new RawConnection(socket);
  }

  /** Resolves when the system has accepted the bytes, even if the peer has cut the connection meanwhile. */
  async send(bytes: string | Uint8Array): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.write(Buffer.from(bytes), () => resolve());
    await Promise.race([promise, this.#closed]);
  }

  /** Ends this side of the connection: nothing more will be sent. */
  end(): void {
    this.#socket.end();
  }

  /** The next answer, without interim ones (1xx). `toHead`: it is the answer to a HEAD, so no body follows. */
  async answer({ toHead = false } = {}): Promise<Response> {
    for (;;) {
      const head = await this.#takeThrough('\r\n\r\n');
      const { status, headers } = parseHead(head.toString('latin1'));
      if (status < 200) continue;
      const hasBody = !toHead && status !== 204 && status !== 304;
      return new Response(hasBody ? await this.#body(headers) : null, { status, headers });
    }
  }

  /** The next line. */
  async line(): Promise<string> {
    const line = await this.#takeThrough('\r\n');
    return line.toString('latin1').trimEnd();
  }

  /** Everything until the peer ends the connection, as Latin-1. */
  async rest(): Promise<string> {
    await this.#until(() => this.#hasEnded);
    return this.#received().toString('latin1');
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  async #body(headers: Headers): Promise<Buffer<ArrayBuffer>> {
    const size = headers.get('content-length');
    if (size !== null) return this.#take(Number(size));
    if (headers.get('transfer-encoding') !== 'chunked') {
      await this.#until(() => this.#hasEnded);
      return this.#received();
    }
    const chunks: Buffer[] = [];
    for (;;) {
      const line = await this.#takeThrough('\r\n');
      const chunkSize = Number.parseInt(line.toString(), 16);
      const chunk = await this.#take(chunkSize + 2);
      if (chunkSize === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, chunkSize));
    }
  }

  /** Takes everything up to the end of a mark, as soon as that has arrived. */
  async #takeThrough(mark: string): Promise<Buffer<ArrayBuffer>> {
    await this.#until(() => this.#received().includes(mark) || this.#hasEnded);
    const at = this.#received().indexOf(mark);
    return await this.#take(at === -1 ? Number.POSITIVE_INFINITY : at + mark.length);
  }

  /** Takes this many bytes as soon as they have arrived. */
  async #take(size: number): Promise<Buffer<ArrayBuffer>> {
    await this.#until(() => this.#sizeBytes >= size || this.#hasEnded);
    const received = this.#received();
    if (received.byteLength < size)
      throw new Error(`the connection ended early, after: ${received.toString()}`);
    this.#chunks = [received.subarray(size)];
    this.#sizeBytes -= size;
    return received.subarray(0, size);
  }

  #received(): Buffer<ArrayBuffer> {
    const [first = Buffer.alloc(0), ...others] = this.#chunks;
    const joined = others.length === 0 ? first : Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  async #until(isMet: () => boolean): Promise<void> {
    if (this.#socket.listenerCount('data') === 0) {
      this.#socket.on('data', (chunk) => {
        const bytes = Buffer.from(chunk);
        this.#chunks.push(bytes);
        this.#sizeBytes += bytes.byteLength;
        this.#wake();
      });
      this.#socket.resume();
    }
    while (!isMet()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** Sends `request` unchanged on a new connection, and returns the answer. A string is sent as Latin-1. */
export async function rawRequest(url: string, request: string): Promise<Response> {
  using connection = await RawConnection.connect(url);
  await connection.send(Buffer.from(request, 'latin1'));
  return await connection.answer({ toHead: request.startsWith('HEAD ') });
}

/** The lines of a request without a body, as `rawRequest` sends them. */
export function requestLines(method: string, target: string, ...headers: string[]): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: hearth.test', ...headers, '', ''].join('\r\n');
}

function parseHead(text: string): { status: number; headers: Headers } {
  const [statusLine = '', ...lines] = text.trimEnd().split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3})( |$)/.exec(statusLine)?.[1];
  if (status === undefined) throw new Error(`no status line: ${statusLine}`);
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return { status: Number(status), headers };
}
