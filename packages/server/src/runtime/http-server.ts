import { within } from '../within.ts';
import { AnswerRow } from './answer-row.ts';

/** The connection that a request came on. */
export interface Peer {
  /** The address at its other end. */
  readonly address: string;
  /** Lets the peer be silent, or slow, for so many seconds from now on, 255 at most, until it is answered. */
  allowSilence(seconds: number): void;
  /** Lets the peer be as slow as a reader of a file may be, in the answer and behind it. */
  allowReading(): void;
  /** Whether the door has so much to do that nobody may linger. */
  readonly isCrowded: boolean;
}

/** Answers a request. */
export type Handle = (request: Request, peer: Peer) => Response | Promise<Response>;

/** What an HTTP door asks of the runtime. */
export interface HttpServerOptions {
  readonly hostname: string;
  readonly port: number;
  /** Seconds that a connection may be silent, also within a request, unless its request allows more. */
  readonly silenceSeconds: number;
  /** Seconds that a reader may take nothing of a file, which no request can change. */
  readonly unreadSeconds: number;
  /** Requests that may run at once, their answers being sent included. */
  readonly mostRequests: number;
  /** Answers a request beyond those, whose body is not taken. */
  readonly onCrowd: () => Response;
  readonly handle: Handle;
  /**
   * POST of exactly these paths, which the runtime finds for less than its asking for the path would cost. Where many
   * come in a turn of the event loop, their answers are sent in a row at its end.
   */
  readonly posts?: Readonly<Record<string, Handle>>;
  /** Answers for a fault outside of `handle`, such as a body that could not be opened. */
  readonly onFault: (error: unknown) => Response;
}

/** What every door sets of the runtime. */
export const SERVER_DEFAULTS = {
  // The runtime's own refusal of a large body is not in the envelope: bodies are bounded by their readers.
  maxRequestBodySize: Infinity,
  development: false,
  // Outside of development the runtime would share a port that is in use, in silence.
  reusePort: false,
} as const;

/** How long a stop waits for handlers whose connections are gone. */
const LAST_HANDLER_MS = 1_000;

/** A listening server. */
export interface Listener {
  /** Cuts the connections that wait between two requests, and tells how many. */
  cutIdle(): number;
  /** Takes no new connection and resolves when the running requests are answered. */
  stop(): Promise<void>;
  /** Cuts every connection. */
  terminate(): Promise<void>;
}

/** Listens for HTTP requests. Throws the system's error (EADDRINUSE, EACCES, EADDRNOTAVAIL …) when it cannot. */
export function serveHttp(options: HttpServerOptions): Listener {
  const running = new Running();
  const settle: Settle = (answer, peer) => running.until(answer, peer);
  const settleInRow: Settle = (answer, peer) => running.inRow(answer, peer);
  const isBounded = options.mostRequests !== Infinity;
  const answering =
    (handle: Handle, wait: Settle) => (request: Request, bun: Bun.Server<unknown>) => {
      if (isBounded && bun.pendingRequests > options.mostRequests) return options.onCrowd();
      const peer = new BunPeer(request, bun, options);
      const answer = handle(request, peer);
      if (answer instanceof Promise) return wait(answer, peer);
      peer.restore();
      return answer;
    };
  const server = Bun.serve({
    ...SERVER_DEFAULTS,
    hostname: options.hostname,
    port: options.port,
    // Whatever it is, the runtime gives a new connection 10 s for the head of its first request.
    idleTimeout: options.unreadSeconds,
    fetch: answering(options.handle, settle),
    routes: Object.fromEntries(
      Object.entries(options.posts ?? {}).map(([path, handle]) => [
        path,
        { POST: answering(handle, settleInRow) },
      ]),
    ),
    error: options.onFault,
  });
  const bare = listener(server);
  return {
    ...bare,
    async stop() {
      const stopped = bare.stop();
      running.flush();
      await stopped;
      // Of requests that were cut the handlers are still busy, with taking back what they had begun.
      await running.ended(LAST_HANDLER_MS);
    },
  };
}

/** The part of a running server that its owner needs. */
export function listener(server: {
  closeIdleConnections(): number;
  stop(closeActiveConnections?: boolean): Promise<void>;
}): Listener {
  return {
    cutIdle: () => server.closeIdleConnections(),
    stop: () => server.stop(),
    terminate: () => server.stop(true),
  };
}

class BunPeer implements Peer {
  readonly #request: Request;
  readonly #bun: Bun.Server<unknown>;
  readonly #options: HttpServerOptions;
  /** Whether the usual silence has to be put in force again. */
  #isExtended: boolean;
  #otherEnd: Bun.SocketAddress | null | undefined;

  constructor(request: Request, bun: Bun.Server<unknown>, options: HttpServerOptions) {
    this.#request = request;
    this.#bun = bun;
    this.#options = options;
    this.#isExtended = options.silenceSeconds !== options.unreadSeconds;
  }

  get address(): string {
    return this.#end?.address ?? '';
  }

  /** The port at the other end. */
  get port(): number {
    return this.#end?.port ?? 0;
  }

  get isCrowded(): boolean {
    return this.#bun.pendingRequests > this.#options.mostRequests / 2;
  }

  allowSilence(seconds: number): void {
    this.#bun.timeout(this.#request, seconds);
    this.#isExtended = true;
  }

  allowReading(): void {
    const { silenceSeconds, unreadSeconds } = this.#options;
    if (silenceSeconds !== unreadSeconds) this.#bun.timeout(this.#request, unreadSeconds);
    this.#isExtended = false;
  }

  /** Goes back to the usual silence, where another is in force. */
  restore(): void {
    if (!this.#isExtended) return;
    this.#bun.timeout(this.#request, this.#options.silenceSeconds);
    this.#isExtended = false;
  }

  // Asked once, because that costs a tenth of a post; behind an answer the runtime does not know it any more.
  get #end(): Bun.SocketAddress | null {
    return (this.#otherEnd ??= this.#bun.requestIP(this.#request));
  }
}

/** Passes on an answer that has to be waited for. */
type Settle = (answer: Promise<Response>, peer: BunPeer) => Promise<Response>;

/** What is running: sees to it that it ends in order, and counts it, to tell when it is over. */
class Running {
  readonly #row = new AnswerRow();
  #count = 0;
  #onEnd: (() => void) | undefined;

  /** Waits for an answer. */
  until(answer: Promise<Response>, peer: BunPeer): Promise<Response> {
    this.#count += 1;
    return answer.then(
      (response) => {
        this.#end(peer);
        return response;
      },
      (error: unknown) => {
        this.#end(peer);
        throw error;
      },
    );
  }

  /** The same, for an answer that is sent in a row with others. */
  inRow(answer: Promise<Response>, peer: BunPeer): Promise<Response> {
    this.#count += 1;
    return this.#row.hold(answer, () => {
      this.#end(peer);
      return peer.port;
    });
  }

  /** Sends the answers that wait to be sent in a row. */
  flush(): void {
    this.#row.flush();
  }

  /** Resolves when nothing runs, or when `timeoutMs` are over. */
  async ended(timeoutMs: number): Promise<void> {
    if (this.#count === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEnd = resolve;
    await within(promise, timeoutMs);
  }

  #end(peer: BunPeer): void {
    peer.restore();
    this.#count -= 1;
    if (this.#count === 0) this.#onEnd?.();
  }
}
