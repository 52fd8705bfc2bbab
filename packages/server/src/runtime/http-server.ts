import { within } from '../lib/within.ts';
import { Transfers, type TransferBounds } from './transfers.ts';

/** The connection that a request came on. */
export interface Peer {
  /** The address at its other end. */
  readonly address: string;
  /** Allows the peer to be silent, or slow, for this many seconds from now on, at most 255, until it is answered. */
  allowSilence(seconds: number): void;
  /**
   * Counts the request as a transfer of `client` until it is answered: of an upload, or of a download of `sizeBytes`.
   * Allows the peer of a download to be as slow as a reader of a file may be, during the answer and after it. Returns
   * false, and does neither, if the client has too many transfers.
   */
  beginTransfer(client: string, sizeBytes?: number): boolean;
  /** Whether the service is so busy that no connection may be kept waiting. */
  readonly isCrowded: boolean;
}

/** Answers a request. */
export type Handle = (request: Request, peer: Peer) => Response | Promise<Response>;

/** What an HTTP service asks of the runtime. */
export interface HttpServerOptions {
  readonly hostname: string;
  readonly port: number;
  /** Seconds that a connection may be silent, also within a request, unless its request allows more. */
  readonly silenceSeconds: number;
  /** Seconds that a reader may take nothing of a file; no request can change it. */
  readonly unreadSeconds: number;
  /** Requests that may run at once, including those whose answers are being sent. */
  readonly mostRequests: number;
  /** Bounds of the transfers among them; without bounds, no request counts as a transfer. */
  readonly transfers?: TransferBounds | undefined;
  /** Answers a request beyond that number, whose body is not taken. */
  readonly onCrowd: () => Response;
  readonly handle: Handle;
  /** POST of exactly these paths; the runtime finds them at less cost than reading the path here. */
  readonly posts?: Readonly<Record<string, Handle>>;
  /** Answers for a fault outside of `handle`, such as a body that could not be opened. */
  readonly onFault: (error: unknown) => Response;
}

/** The runtime options of every service. */
export const SERVER_DEFAULTS = {
  // The runtime's own refusal of a large body is not in the envelope: the readers of bodies bound them.
  maxRequestBodySize: Infinity,
  development: false,
  // Outside of development the runtime would silently share a port that is in use.
  reusePort: false,
} as const;

/** How long a stop waits for handlers whose connections are gone. */
const LAST_HANDLER_MS = 1_000;

/** A listening server. */
export interface Listener {
  /** Cuts the connections that wait between two requests, and returns how many there were. */
  cutIdle(): number;
  /** Takes no new connection and resolves when the running requests are answered. */
  stop(): Promise<void>;
  /** Cuts every connection. */
  terminate(): Promise<void>;
}

/** Listens for HTTP requests. Throws the system's error (EADDRINUSE, EACCES, EADDRNOTAVAIL …) if it cannot. */
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
    // The runtime always gives a new connection 10 s for the head of its first request.
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
      // The handlers of requests that were cut are still busy undoing what they had begun.
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

/** A service's options, and what runs at it. */
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
  /** Whether the usual silence has to be restored. */
  #isExtended: boolean;
  #otherEnd: Bun.SocketAddress | null | undefined;

  constructor(request: Request, bun: Bun.Server<unknown>, options: Kept) {
    this.#request = request;
    this.#bun = bun;
    this.#options = options;
    this.#isExtended = options.silenceSeconds !== options.unreadSeconds;
  }

  // Read once, because that costs a tenth of a post; after an answer the runtime no longer has it.
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

  /** Restores the usual silence if another one applies. */
  restore(): void {
    if (!this.#isExtended) return;
    this.#bun.timeout(this.#request, this.#options.silenceSeconds);
    this.#isExtended = false;
  }
}

/** Counts what is running, lets it end in order, and reports when everything has ended. */
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

  /** Resolves when nothing runs, or after `timeoutMs`. */
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
