import { waitAfterRefusal } from '../../packages/sdk/src/limits/limit-window.ts';
import { requestBytes, type HttpRequest } from './keep-alive.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
const STATUS = /^HTTP\/1.1 (\d{3}) /;
const LENGTH = /\r\ncontent-length: (\d+)/i;

/** The time that a connection may be idle before it is replaced: servers close idle connections after 10 s. */
const FRESH_MS = 5_000;

/** An answer of any status. */
export interface Answer {
  /** 0 if the connection was cut before the answer was complete. */
  readonly status: number;
  readonly body: string;
}

const CUT: Answer = { status: 0, body: '' };

/** The last answer to a request that is repeated until it is not refused for now. */
export interface Outcome extends Answer {
  /** The number of times that it was refused for now, and sent again. */
  readonly refusals: number;
  /** Milliseconds from the first sending to the last answer. */
  readonly milliseconds: number;
}

/** A connection that sends one request at a time, each of its own, and reads answers of any status. */
export class AskingSocket implements Disposable {
  readonly #port: number;
  #socket: Bun.Socket | undefined;
  #received: Buffer[] = [];
  #answered: ((answer: Answer) => void) | undefined;
  #usedAt = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** Connects for the first time, or again if the server has closed the idle connection or is about to. */
  async connect(): Promise<void> {
    if (this.#socket !== undefined && performance.now() - this.#usedAt < FRESH_MS) return;
    this[Symbol.dispose]();
    this.#usedAt = performance.now();
    this.#socket = await Bun.connect({
      hostname: '127.0.0.1',
      port: this.#port,
      socket: {
        data: (socket, chunk) => {
          if (socket === this.#socket) this.#onData(chunk);
        },
        close: (socket) => {
          if (socket !== this.#socket) return;
          this.#socket = undefined;
          this.#answer(CUT);
        },
      },
    });
  }

  /** Sends a request at once if it is connected, or else as soon as it is. The last one must have been answered. */
  async ask(request: Omit<HttpRequest, 'port'>): Promise<Answer> {
    if (this.#socket === undefined) await this.connect();
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#answered = resolve;
    this.#usedAt = performance.now();
    const bytes = requestBytes({ ...request, port: this.#port });
    if (this.#socket?.write(bytes) !== bytes.byteLength) this[Symbol.dispose]();
    return await promise;
  }

  /** Sends a request, and repeats it as long as it is refused for now, as clients do, but not later than `endsAt`. */
  async insist(request: Omit<HttpRequest, 'port'>, endsAt = Infinity): Promise<Outcome> {
    const startedAt = performance.now();
    for (let refusals = 0; ; refusals += 1) {
      const answer = await this.ask(request);
      const now = performance.now();
      const waitMs = answer.status === 429 ? retryAfterMs(answer, refusals) : undefined;
      if (waitMs === undefined || now + waitMs > endsAt) {
        return { ...answer, refusals, milliseconds: now - startedAt };
      }
      await Bun.sleep(waitMs);
    }
  }

  /** Cuts the connection, with the request that it may have sent. */
  [Symbol.dispose](): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.terminate();
    this.#answer(CUT);
  }

  #onData(chunk: Buffer): void {
    this.#received.push(chunk);
    const received = this.#received.length === 1 ? chunk : Buffer.concat(this.#received);
    const end = received.indexOf(HEAD_END);
    if (end === -1) return;
    const head = received.toString('latin1', 0, end);
    const [, status = '0'] = STATUS.exec(head) ?? [];
    const [, length = '0'] = LENGTH.exec(head) ?? [];
    const begin = end + HEAD_END.byteLength;
    if (received.byteLength < begin + Number(length)) return;
    this.#answer({ status: Number(status), body: received.toString('utf8', begin) });
  }

  #answer(answer: Answer): void {
    const answered = this.#answered;
    this.#answered = undefined;
    this.#received = [];
    answered?.(answer);
  }
}

/** Returns whether a request did what it was to do. */
export function isAcknowledged({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** Throws unless a request was acknowledged, refused for now, or failed: anything else is a mistake of the benchmark. */
export function requireKnown({ status, body }: Answer): void {
  if (status >= 300 && status < 500 && status !== 429) {
    throw new Error(`a request was answered with ${status}: ${body}`);
  }
}

/** Returns the time that the client library waits. */
function retryAfterMs({ body }: Answer, refusals: number): number {
  // Guarantee: an answer of this status has this field.
  const { data } = JSON.parse(body) as { readonly data: { readonly retry_after: number } };
  return waitAfterRefusal(data.retry_after, refusals);
}
