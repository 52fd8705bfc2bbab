import { connect, type Socket } from 'node:net';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** A POST that an instance has begun to read. The test decides when its body ends. */
export class HeldRequest implements Disposable {
  readonly #socket: Socket;
  readonly #rest: Uint8Array;
  #received = '';
  #hasEnded = false;
  #news = Promise.withResolvers<void>();

  private constructor(socket: Socket, rest: Uint8Array) {
    this.#socket = socket;
    this.#rest = rest;
    socket.on('error', () => {});
    socket.on('data', (bytes) => this.#wake(bytes.toString('latin1')));
    socket.on('close', () => {
      this.#hasEnded = true;
      this.#wake('');
    });
  }

  /** Sends the request without the second half of its body. Resolves when the instance reads it. */
  static async begin(url: string, request: Request): Promise<HeldRequest> {
    const { hostname, port, pathname } = new URL(url);
    // Read before the body, because the runtime drops the header afterwards.
    const contentType = request.headers.get('content-type');
    const body = await request.bytes();
    const half = body.byteLength >> 1;
    const socket = connect({ host: hostname, port: Number(port) });
    const held = new HeldRequest(socket, body.subarray(half));
    const lines = [
      `POST ${pathname} HTTP/1.1`,
      'Host: hearth.test',
      `Content-Type: ${contentType}`,
      `Content-Length: ${body.byteLength}`,
      'Expect: 100-continue',
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    await held.#until((received) => received.startsWith(CONTINUE));
    socket.write(body.subarray(0, half));
    return held;
  }

  /** Sends the rest and resolves with the answer. */
  async finish(): Promise<Response> {
    this.#socket.write(this.#rest);
    const isWhole = (text: string) => {
      const [head = '', body] = text.slice(CONTINUE.length).split('\r\n\r\n', 2);
      const length = /^content-length: *(\d+)/im.exec(head)?.[1];
      return body !== undefined && length !== undefined && body.length >= Number(length);
    };
    await this.#until(isWhole);
    const [head = '', body] = this.#received.slice(CONTINUE.length).split('\r\n\r\n', 2);
    return new Response(body, { status: Number(head.split(' ', 2)[1]) });
  }

  /** Resolves when the instance has ended the connection. */
  async cut(): Promise<void> {
    while (!this.#hasEnded) await this.#news.promise;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  async #until(isMet: (received: string) => boolean): Promise<void> {
    while (!isMet(this.#received)) {
      if (this.#hasEnded) throw new Error(`the connection ended after: ${this.#received}`);
      await this.#news.promise;
    }
  }

  #wake(text: string): void {
    this.#received += text;
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}
