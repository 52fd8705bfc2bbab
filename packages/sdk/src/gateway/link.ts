import { CLOSE_REASONS, HEARTBEAT_INTERVAL_MS, type DisconnectReason } from '@hearth/protocol';
import type { ReceivedEvent, ReceivedProfileEvent } from '@hearth/protocol/received';
import type { SdkClock } from '../clock.ts';
import { deferred, type Deferred } from '../deferred.ts';
import type { Parting } from './backoff.ts';
import { documentedPayload, profilePayload, type Payload } from './payload.ts';
import type { WebSocketConstructor, WebSocketLike } from './web-socket.ts';

/** What the gateway greets clients of profile 1 with. */
export type Hello = Extract<ReceivedProfileEvent, { op: 'HELLO' }>['d'];

/** An event as it came, with its position on profile 1. An unknown one is passed on for its position alone. */
export type GatewayEvent =
  | Extract<ReceivedProfileEvent, { op: `MESSAGE_${string}` }>
  | Extract<ReceivedEvent, { op: 'MESSAGE_CREATE' }>
  | { readonly op: 'unknown'; readonly s: number };

/** Who is told of a link. After `ended` comes nothing more. */
export interface LinkListener {
  /** The gateway took the connection; `hello` is absent where it is the documented one. */
  opened(hello: Hello | undefined): void;
  message(event: GatewayEvent): void;
  /** An event came that cannot be read. */
  broken(): void;
  ended(parting: Parting): void;
}

/** How a link is made. */
export interface LinkOptions {
  readonly url: string;
  readonly asksProfile: boolean;
  readonly WebSocket: WebSocketConstructor;
  readonly clock: SdkClock;
  /** Longest time until the gateway takes the connection, and until it answers a PING where that is shorter than usual. */
  readonly timeoutMs: number;
  readonly listener: LinkListener;
}

type Phase =
  | { readonly state: 'connecting' }
  /** The socket is open; what comes first tells the gateway's profile. */
  | { readonly state: 'greeting' }
  /** After HELLO, until anything but DISCONNECT shows that the gateway takes us (LB23). */
  | { readonly state: 'greeted'; readonly hello: Hello }
  | { readonly state: 'open'; readonly profile: 0 | 1; readonly pingEveryMs: number }
  | { readonly state: 'ended' };

/** How long the answer to a PING may take. */
const PONG_TIMEOUT_MS = 10_000;
/** How long before the gateway's own deadline we ping. */
const PING_MARGIN_MS = 5_000;
/** However often a gateway wants it. */
const LEAST_PING_INTERVAL_MS = 1_000;
/** However often somebody asks: the limit of the gateway is 5 payloads in 10 s. */
const LEAST_CHECK_INTERVAL_MS = 5_000;
/** How long the other side may take to close. */
const CLOSE_TIMEOUT_MS = 2_000;
const OPEN = 1;
const CLOSED = 3;
const PING = JSON.stringify({ op: 'PING' });

/** One WebSocket to the gateway, from its beginning to its end. */
export class Link {
  readonly #options: LinkOptions;
  readonly #socket: WebSocketLike;
  readonly #closed = deferred<void>();
  #phase: Phase = { state: 'connecting' };
  /** What DISCONNECT told. */
  #parting: Parting | undefined;
  #lastPingAtMs = 0;
  #lastCheckAtMs = -Infinity;
  /** Who waits for the answers to the PINGs that were sent, the first one first. */
  readonly #pongs: Deferred<void>[] = [];
  #stopPings: (() => void) | undefined;
  /** What ends the link where the other side says nothing. */
  #stopDeadline: (() => void) | undefined;

  /** Throws where the WebSocket does not take the address. */
  constructor(options: LinkOptions) {
    this.#options = options;
    const socket = new options.WebSocket(options.url);
    this.#socket = socket;
    this.#expectWithin(options.timeoutMs);
    socket.addEventListener('open', () => this.#connected());
    socket.addEventListener('message', ({ data }) => this.#received(data));
    socket.addEventListener('error', () => this.#end(this.#parting ?? broken()));
    socket.addEventListener('close', ({ reason }) => {
      this.#closed.resolve();
      this.#end(this.#parting ?? partingOf(reason));
    });
  }

  /** Asks whether the other side is there, at once or, where that was just done, soon: payloads are limited. */
  check(): void {
    if (this.#phase.state !== 'open') return;
    const { pingEveryMs } = this.#phase;
    const nowMs = this.#options.clock.now();
    const sinceMs = nowMs - this.#lastCheckAtMs;
    // A clock that was set back tells nothing.
    if (sinceMs >= 0 && sinceMs < LEAST_CHECK_INTERVAL_MS) {
      return this.#pingIn(LEAST_CHECK_INTERVAL_MS - sinceMs, pingEveryMs);
    }
    this.#lastCheckAtMs = nowMs;
    this.#ping(pingEveryMs);
  }

  /** Resolves when everything that the gateway has sent until now is here, for its answers come in order; never where the link ends. */
  async caughtUp(): Promise<void> {
    if (this.#phase.state === 'open') this.#ping(this.#phase.pingEveryMs);
    await this.#pongs.at(-1)?.promise;
  }

  /** Closes without telling the listener; resolves when the other side has closed too, or does not care. */
  async close(): Promise<void> {
    this.#leave();
    if (this.#socket.readyState === CLOSED) return;
    const stop = this.#options.clock.after(CLOSE_TIMEOUT_MS, () => this.#closed.resolve());
    await this.#closed.promise;
    stop();
    terminate(this.#socket);
  }

  #connected(): void {
    if (this.#phase.state !== 'connecting') return;
    if (!this.#options.asksProfile) return this.#open(undefined);
    this.#phase = { state: 'greeting' };
    // The documented gateway says nothing of itself, but answers this.
    this.#sendPing();
  }

  #sendPing(): void {
    this.#pongs.push(deferred());
    this.#socket.send(PING);
  }

  #received(data: unknown): void {
    const phase = this.#phase;
    switch (phase.state) {
      case 'connecting':
      case 'ended':
        return;
      case 'greeting': {
        const first = profilePayload(data);
        if (first.op === 'HELLO') {
          this.#phase = { state: 'greeted', hello: first.d };
          return;
        }
        this.#open(undefined);
        return this.#received(data);
      }
      case 'greeted': {
        // It was refused: the answer to our PING changes nothing.
        if (this.#parting !== undefined) return;
        const next = profilePayload(data);
        if (next.op === 'DISCONNECT') return this.#disconnecting(next);
        this.#open(phase.hello);
        return this.#received(data);
      }
      case 'open':
        return this.#inOpen(phase, data);
    }
  }

  #inOpen({ profile, pingEveryMs }: Extract<Phase, { state: 'open' }>, data: unknown): void {
    // Whatever comes is a sign of life.
    if (this.#parting === undefined) this.#expectNothing();
    this.#handle(profile === 1 ? profilePayload(data) : documentedPayload(data));
    // Timers of hidden pages may come late; messages do not.
    const sinceMs = this.#options.clock.now() - this.#lastPingAtMs;
    if (this.#phase.state === 'open' && sinceMs > pingEveryMs / 2) this.#ping(pingEveryMs);
  }

  #handle(payload: Payload<ReceivedProfileEvent | ReceivedEvent>): void {
    switch (payload.op) {
      case 'MESSAGE_CREATE':
      case 'MESSAGE_UPDATE':
      case 'MESSAGE_DELETE':
        return this.#options.listener.message(payload);
      case 'DISCONNECT':
        return this.#disconnecting(payload);
      case 'broken':
        return this.#options.listener.broken();
      case 'PONG':
        return this.#pongs.shift()?.resolve();
      case 'unknown':
        if (payload.s !== undefined)
          this.#options.listener.message({ op: 'unknown', s: payload.s });
        return;
      case 'HELLO':
        return;
    }
  }

  #disconnecting({ d }: Extract<ReceivedProfileEvent, { op: 'DISCONNECT' }>): void {
    const { reason, reconnect, retry_after: retryAfterMs } = d;
    this.#parting = { reason, reconnect, retryAfterMs };
    // The close frame follows.
    this.#expectWithin(CLOSE_TIMEOUT_MS);
  }

  #open(hello: Hello | undefined): void {
    const pingEveryMs = pingInterval(hello?.heartbeat_interval ?? HEARTBEAT_INTERVAL_MS);
    this.#expectNothing();
    this.#phase = { state: 'open', profile: hello === undefined ? 0 : 1, pingEveryMs };
    this.#lastPingAtMs = this.#options.clock.now();
    this.#pingIn(pingEveryMs, pingEveryMs);
    this.#options.listener.opened(hello);
  }

  /** Sends the next PING, and from then on one whenever `everyMs` are over. */
  #pingIn(delayMs: number, everyMs: number): void {
    this.#stopPings?.();
    this.#stopPings = this.#options.clock.after(delayMs, () => this.#ping(everyMs));
  }

  #ping(pingEveryMs: number): void {
    this.#lastPingAtMs = this.#options.clock.now();
    this.#pingIn(pingEveryMs, pingEveryMs);
    if (this.#socket.readyState !== OPEN) return;
    this.#sendPing();
    // An answer that is due already is not due later for being asked for again.
    if (this.#stopDeadline !== undefined) return;
    this.#expectWithin(Math.min(PONG_TIMEOUT_MS, this.#options.timeoutMs));
  }

  #expectNothing(): void {
    this.#stopDeadline?.();
    this.#stopDeadline = undefined;
  }

  #expectWithin(timeoutMs: number): void {
    this.#stopDeadline?.();
    this.#stopDeadline = this.#options.clock.after(timeoutMs, () => {
      this.#end(this.#parting ?? broken());
      terminate(this.#socket);
    });
  }

  #end(parting: Parting): void {
    if (this.#phase.state === 'ended') return;
    this.#leave();
    this.#options.listener.ended(parting);
  }

  #leave(): void {
    this.#phase = { state: 'ended' };
    this.#stopPings?.();
    this.#stopDeadline?.();
    this.#socket.close();
  }
}

function pingInterval(heartbeatMs: number): number {
  const usualMs = Math.max(heartbeatMs - PING_MARGIN_MS, (heartbeatMs * 2) / 3);
  // Where it is patient we are not: a PING is also what finds out that the other side has gone.
  return Math.min(HEARTBEAT_INTERVAL_MS, Math.max(LEAST_PING_INTERVAL_MS, usualMs));
}

function broken(): Parting {
  return { reason: 'network', retryAfterMs: undefined, reconnect: true };
}

/** What the close frame of the documented gateway tells (Events rule 3). */
function partingOf(closeReason: string): Parting {
  const reasons: Readonly<Record<string, DisconnectReason>> = {
    [CLOSE_REASONS.dead]: 'dead',
    [CLOSE_REASONS.rateLimited]: 'rate_limited',
    [CLOSE_REASONS.serverError]: 'server_error',
  };
  return { ...broken(), reason: reasons[closeReason] ?? 'network' };
}

/** Cuts the connection where the WebSocket knows how to: a dead one would keep a process alive for long. */
function terminate(socket: WebSocketLike): void {
  if ('terminate' in socket && typeof socket.terminate === 'function') socket.terminate();
}
