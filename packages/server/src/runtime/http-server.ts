import { within } from '../within.ts';
import { Transfers, type TransferBounds } from './transfers.ts';

/** The connection that a request came on. */
export interface Peer {
  /** The address at its other end. */
  readonly address: string;
  /** Lets the peer be silent, or slow, for so many seconds from now on, 255 at most, until it is answered. */
  allowSilence(seconds: number): void;
  /**
   * Counts the request as a transfer of `client` until it is answered, of an upload or of a download of
   * `sizeBytes`; lets the peer of a download be as slow as a reader of a file may be, in the answer and after it.
   * Returns false, and does neither, if the client has too many transfers.
   */
  beginTransfer(client: string, sizeBytes?: number): boolean;
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
  /** Bounds of the transfers among them; if they are absent, no request counts as a transfer. */
  readonly transfers?: TransferBounds | undefined;
  /** Answers a request beyond those, whose body is not taken. */
  readonly onCrowd: () => Response;
  readonly handle: Handle;
  /** POST of exactly these paths, which the runtime finds at less cost than reading the path here. */
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
  const isBounded = options.mostRequests !== Infinity;
  const transfers =
    options.transfers === undefined
      ? undefined
      : new Transfers(
          {
            // The runtime forgets the peer of a request as soon as its answer has been sent.
            isRunning: (request) => server.requestIP(request) !== null,
            isCrowded: () => isCrowded(server, options),
            allowPause: (request, seconds) => server.timeout(request, seconds),
          },
          options.transfers,
        );
  const kept: Kept = { ...options, running: transfers };
  const answering = (handle: Handle) => (request: Request, bun: Bun.Server<unknown>) => {
    if (isBounded && bun.pendingRequests > options.mostRequests) return options.onCrowd();
    const peer = new BunPeer(request, bun, kept);
    const answer = handle(request, peer);
    if (answer instanceof Promise) return running.until(answer, peer);
    peer.restore();
    return answer;
  };
  const server: Bun.Server<unknown> = Bun.serve({
    ...SERVER_DEFAULTS,
    hostname: options.hostname,
    port: options.port,
    // Whatever it is, the runtime gives a new connection 10 s for the head of its first request.
    idleTimeout: options.unreadSeconds,
    fetch: answering(options.handle),
    routes: Object.fromEntries(
      Object.entries(options.posts ?? {}).map(([path, handle]) => [
        path,
        { POST: answering(handle) },
      ]),
    ),
    error: options.onFault,
  });
  const bare = listener(server);
  return {
    ...bare,
    async stop() {
      await bare.stop();
      // Of requests that were cut the handlers are still busy, with taking back what they had begun.
      await running.ended(LAST_HANDLER_MS);
      transfers?.[Symbol.dispose]();
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

/** How a door is kept, with what runs at it. */
interface Kept extends HttpServerOptions {
  readonly running: Transfers | undefined;
}

function isCrowded(bun: Bun.Server<unknown>, { mostRequests }: HttpServerOptions): boolean {
  return bun.pendingRequests > mostRequests / 2;
}

class BunPeer implements Peer {
  readonly #request: Request;
  readonly #bun: Bun.Server<unknown>;
  readonly #options: Kept;
  /** Whether the usual silence has to be put in force again. */
  #isExtended: boolean;
  #otherEnd: Bun.SocketAddress | null | undefined;

  constructor(request: Request, bun: Bun.Server<unknown>, options: Kept) {
    this.#request = request;
    this.#bun = bun;
    this.#options = options;
    this.#isExtended = options.silenceSeconds !== options.unreadSeconds;
  }

  // Asked once, because that costs a tenth of a post; after an answer the runtime does not know it any more.
  get address(): string {
    this.#otherEnd ??= this.#bun.requestIP(this.#request);
    return this.#otherEnd?.address ?? '';
  }

  get isCrowded(): boolean {
    return isCrowded(this.#bun, this.#options);
  }

  allowSilence(seconds: number): void {
    this.#bun.timeout(this.#request, seconds);
    this.#isExtended = true;
  }

  beginTransfer(client: string, sizeBytes?: number): boolean {
    const { silenceSeconds, unreadSeconds, running } = this.#options;
    if (running?.begin({ client, request: this.#request, sizeBytes }) === false) return false;
    if (sizeBytes === undefined) return true;
    if (silenceSeconds !== unreadSeconds) this.#bun.timeout(this.#request, unreadSeconds);
    this.#isExtended = false;
    return true;
  }

  /** Goes back to the usual silence, where another is in force. */
  restore(): void {
    if (!this.#isExtended) return;
    this.#bun.timeout(this.#request, this.#options.silenceSeconds);
    this.#isExtended = false;
  }
}

/** What is running: sees to it that it ends in order, and counts it, to tell when it is over. */
class Running {
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
