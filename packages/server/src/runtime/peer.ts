import type { AnswerRow } from './answer-row.ts';
import type { Send, ServedService } from './served-service.ts';
import type { TransferRuntime } from './transfers.ts';

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
  /** True if the service is so busy that no connection may be kept waiting. */
  readonly isCrowded: boolean;
}

/** Answers a request. */
export type Handle = (request: Request, peer: Peer) => Response | Promise<Response>;

/** The part of the runtime's server that requests need. */
export type BunRequests = Pick<Bun.Server<unknown>, 'requestIP' | 'timeout'>;

/** Answers a request that the runtime has received. */
export type BunHandle = (request: Request, bun: BunRequests) => Response | Promise<Response>;

/** Returns what transfers need of a server. */
export function transferRuntime(server: () => BunRequests): TransferRuntime {
  return {
    // The runtime forgets the peer of a request as soon as its answer has been sent.
    isRunning: (request) => server().requestIP(request) !== null,
    allowPause: (request, seconds) => server().timeout(request, seconds),
  };
}

/** The service of a request, and the server that received it. */
export interface PeerOptions {
  readonly bun: BunRequests;
  readonly service: ServedService;
  readonly runtime: TransferRuntime;
  /** The row in which the answers are sent, if they are sent in one. */
  readonly row?: AnswerRow | undefined;
}

/**
 * Answers a request with `handle`, and restores the usual silence afterwards. A request that may write something waits for its
 * turn. What reads is answered at once, and so is what is answered in a row, because connections may have several such
 * requests under way (oven-sh/bun#38128).
 */
export function answerInTurn(
  handle: Handle,
  request: Request,
  options: PeerOptions,
): Response | Promise<Response> {
  const { row, service } = options;
  const peer = new BunPeer(request, options);
  const isAtOnce = row !== undefined || isReading(request);
  const turn = isAtOnce ? undefined : service.turns.wait(request);
  if (turn === undefined) return answer(handle, request, peer);
  peer.readAddress();
  const answered = answerAfter(turn, () =>
    peer.isGone ? new Response(null) : answer(handle, request, peer),
  );
  return service.until(answered, { onEnd: () => {}, send: sendNow });
}

async function answerAfter(
  turn: Promise<Disposable>,
  answerNow: () => Response | Promise<Response>,
): Promise<Response> {
  using _underWay = await turn;
  return await answerNow();
}

function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

function answer(handle: Handle, request: Request, peer: BunPeer): Response | Promise<Response> {
  const answered = handle(request, peer);
  if (answered instanceof Promise) return peer.until(answered);
  peer.restore();
  return answered;
}

const sendNow: Send = (resolve, response) => resolve(response);

class BunPeer implements Peer {
  readonly #request: Request;
  readonly #options: PeerOptions;
  /** True if the usual silence has to be restored. */
  #isExtended: boolean;
  #otherEnd: Bun.SocketAddress | null | undefined;

  constructor(request: Request, options: PeerOptions) {
    this.#request = request;
    this.#options = options;
    const { silenceSeconds, unreadSeconds } = options.service.bounds;
    this.#isExtended = silenceSeconds !== unreadSeconds;
  }

  get address(): string {
    return this.#end?.address ?? '';
  }

  /** The port at its other end. */
  get port(): number {
    return this.#end?.port ?? 0;
  }

  get isCrowded(): boolean {
    return this.#options.service.isCrowded;
  }

  allowSilence(seconds: number): void {
    this.#options.bun.timeout(this.#request, seconds);
    this.#isExtended = true;
  }

  beginTransfer(client: string, sizeBytes?: number): boolean {
    const { bun, service, runtime } = this.#options;
    const { silenceSeconds, unreadSeconds } = service.bounds;
    const transfer = { client, request: this.#request, sizeBytes, runtime };
    if (service.transfers?.begin(transfer) === false) return false;
    if (sizeBytes === undefined) return true;
    if (silenceSeconds !== unreadSeconds) bun.timeout(this.#request, unreadSeconds);
    this.#isExtended = false;
    return true;
  }

  // Read once, because that costs a tenth of a post; after an answer the runtime no longer has it.
  get #end(): Bun.SocketAddress | null {
    this.readAddress();
    return this.#otherEnd ?? null;
  }

  /** True if the client has left since the address was read. */
  get isGone(): boolean {
    const { bun } = this.#options;
    return (this.#otherEnd ?? null) !== null && bun.requestIP(this.#request) === null;
  }

  /** Reads the address, which the runtime no longer has once the client is gone. */
  readAddress(): void {
    this.#otherEnd ??= this.#options.bun.requestIP(this.#request);
  }

  /** Counts the handler of the request until it has made this answer. */
  until(answered: Promise<Response>): Promise<Response> {
    const { service, row } = this.#options;
    const send: Send = row === undefined ? sendNow : row.sender(this.port);
    return service.until(answered, { onEnd: () => this.restore(), send });
  }

  /** Restores the usual silence if another one applies. */
  restore(): void {
    if (!this.#isExtended) return;
    this.#options.bun.timeout(this.#request, this.#options.service.bounds.silenceSeconds);
    this.#isExtended = false;
  }
}
