/** A documented client of the gateway on a real socket. It records what it received and how it was closed. */
export class GatewayClient {
  readonly received: string[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly #socket: WebSocket;
  readonly #waiting = new Set<() => void>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      this.received.push(String(data));
      for (const check of this.#waiting) check();
    });
    this.closed = new Promise((resolve) => {
      socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason }));
    });
  }

  /** Connects and resolves when the handshake is done. */
  static async connect(url: string, protocols: string[] = []): Promise<GatewayClient> {
    const socket = new WebSocket(url, protocols);
    const client = new GatewayClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', () => reject(new Error(`cannot connect to ${url}`)));
    });
    return client;
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  send(payload: string | Uint8Array<ArrayBuffer>): void {
    this.#socket.send(payload);
  }

  /** Sends PING and resolves with its answer, which comes after everything that was sent before. */
  async ping(): Promise<void> {
    const before = this.received.filter((text) => text === '{"op":"PONG"}').length;
    this.send('{"op":"PING"}');
    await this.until(() => this.received.filter((t) => t === '{"op":"PONG"}').length > before);
  }

  /** Resolves when `isMet`, which is checked after every payload. Rejects if the connection ends first. */
  async until(isMet: () => boolean): Promise<void> {
    if (isMet()) return;
    const met = new Promise<void>((resolve) => {
      const check = () => {
        if (!isMet()) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
    });
    const ended = this.closed.then(({ code, reason }) => {
      throw new Error(`closed before: ${code} ${reason}`);
    });
    await Promise.race([met, ended]);
  }

  close(): void {
    this.#socket.close();
  }
}
