import {
  CLOSE_REASONS,
  HEARTBEAT_INTERVAL_MS,
  type DisconnectReason,
  type Pauses,
} from '@hearth/protocol';
import type { ReceivedEvent, ReceivedProfileEvent } from '@hearth/protocol/received';
import type { SdkClock } from '../clock.ts';
import { deferred, type Deferred } from '../deferred.ts';
import type { Parting } from './backoff.ts';
import { documentedPayload, profilePayload, type Payload } from './payload.ts';
import type { WebSocketConstructor, WebSocketLike } from './web-socket.ts';

/** The gateway's greeting to clients of profile 1. */
export type Hello = Extract<ReceivedProfileEvent, { op: 'HELLO' }>['d'];

/** An event as it came, with its position on profile 1. An event of an unknown kind is passed on only for its position. */
export type GatewayEvent =
  | Extract<ReceivedProfileEvent, { op: `MESSAGE_${string}` | `REACTION_${string}` }>
  | Extract<ReceivedEvent, { op: 'MESSAGE_CREATE' }>
  | { readonly op: 'unknown'; readonly s: number };

/** The listener of a link. Nothing comes after `ended`. */
export interface LinkListener {
  /** The gateway accepted the connection; the documented gateway sends no `hello`. */
  opened(hello: Hello | undefined): void;
  message(event: GatewayEvent): void;
  /** An event came that cannot be parsed. */
  broken(): void;
  /** The number of connections that the instance has. */
  online(count: number): void;
  /** What the owner has paused. */
  pauses(pauses: Pauses): void;
  ended(parting: Parting): void;
}

/** How to make a link. */
export interface LinkOptions {
  readonly url: string;
  /** The subprotocols to offer; none if there is no access code. */
  readonly protocols: readonly string[];
  readonly asksProfile: boolean;
  readonly WebSocket: WebSocketConstructor;
  readonly clock: SdkClock;
  /** How long the gateway may take to accept the connection, and to answer a PING if that is shorter than usual. */
  readonly timeoutMs: number;
  readonly listener: LinkListener;
}

type Phase =
  | { readonly state: 'connecting' }
  /** The socket is open; the first payload shows the gateway's profile. */
  | { readonly state: 'greeting' }
  /** After HELLO, until any payload but DISCONNECT shows that the gateway accepts the client (LB23). */
  | { readonly state: 'greeted'; readonly hello: Hello }
  | { readonly state: 'open'; readonly profile: 0 | 1; readonly pingEveryMs: number }
  | { readonly state: 'ended' };

/** How long the gateway may take to answer a PING. */
const PONG_TIMEOUT_MS = 10_000;
/** How long before the gateway's own deadline the client pings. */
const PING_MARGIN_MS = 5_000;
/** The shortest interval between PINGs, even if a gateway asks for a shorter one. */
const LEAST_PING_INTERVAL_MS = 1_000;
/** The shortest time between checks, however often a caller asks: the gateway allows 5 payloads in 10 s. */
const LEAST_CHECK_INTERVAL_MS = 5_000;
/** How long the other side may take to close. */
const CLOSE_TIMEOUT_MS = 2_000;
const OPEN = 1;
const CLOSED = 3;
const PING = JSON.stringify({ op: 'PING' });

/** One WebSocket to the gateway, from its opening to its end. */
export class Link {
  readonly #options: LinkOptions;
  readonly #socket: WebSocketLike;
  readonly #closed = deferred<void>();
  #phase: Phase = { state: 'connecting' };
  /** The contents of DISCONNECT. */
  #parting: Parting | undefined;
  #lastPingAtMs = 0;
  #lastCheckAtMs = -Infinity;
  /** The callers that wait for the answers to PINGs, the first one first. */
  readonly #pongs: Deferred<void>[] = [];
  #stopPings: (() => void) | undefined;
  /** Ends the link if the other side is silent. */
  #stopDeadline: (() => void) | undefined;

  /** Throws if WebSocket refuses the address. */
  constructor(options: LinkOptions) {
    this.#options = options;
    const { url, protocols } = options;
    const socket =
      protocols.length === 0
        ? new options.WebSocket(url)
        : new options.WebSocket(url, [...protocols]);
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

  /** Checks whether the other side is alive: at once, or soon if that was just done, because payloads are limited. */
  check(): void {
    if (this.#phase.state !== 'open') return;
    const { pingEveryMs } = this.#phase;
    const nowMs = this.#options.clock.now();
    const sinceMs = nowMs - this.#lastCheckAtMs;
    // After the clock was set back, the difference means nothing.
    if (sinceMs >= 0 && sinceMs < LEAST_CHECK_INTERVAL_MS) {
      return this.#pingIn(LEAST_CHECK_INTERVAL_MS - sinceMs, pingEveryMs);
    }
    this.#lastCheckAtMs = nowMs;
    this.#ping(pingEveryMs);
  }

  /** Resolves when everything that the gateway has sent so far has arrived, because it answers in order; never if the link ends first. */
  async caughtUp(): Promise<void> {
    if (this.#phase.state === 'open') this.#ping(this.#phase.pingEveryMs);
    await this.#pongs.at(-1)?.promise;
  }

  /** Closes without notifying the listener; resolves when the other side has closed too, or has not in time. */
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
    // The documented gateway does not introduce itself, but answers this.
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
        // The connection was refused: the answer to the PING changes nothing.
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
    // Any payload is a sign of life.
    if (this.#parting === undefined) this.#expectNothing();
    this.#handle(profile === 1 ? profilePayload(data) : documentedPayload(data));
    // Timers of hidden pages may be late; messages are not.
    const sinceMs = this.#options.clock.now() - this.#lastPingAtMs;
    if (this.#phase.state === 'open' && sinceMs > pingEveryMs / 2) this.#ping(pingEveryMs);
  }

  #handle(payload: Payload<ReceivedProfileEvent | ReceivedEvent>): void {
    switch (payload.op) {
      case 'MESSAGE_CREATE':
      case 'MESSAGE_UPDATE':
      case 'MESSAGE_DELETE':
        return this.#options.listener.message(payload);
      case 'REACTION_ADD':
      case 'REACTION_REMOVE':
        return this.#options.listener.message(payload);
      case 'DISCONNECT':
        return this.#disconnecting(payload);
      case 'ONLINE':
        return this.#options.listener.online(payload.d.count);
      case 'PAUSES':
        return this.#options.listener.pauses(payload.d);
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
    const { reason, reconnect, retry_after: retryAfterMs, ban } = d;
    this.#parting = { reason, reconnect, retryAfterMs, ban };
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

  /** Sends the next PING in `delayMs`, and then one every `everyMs`. */
  #pingIn(delayMs: number, everyMs: number): void {
    this.#stopPings?.();
    this.#stopPings = this.#options.clock.after(delayMs, () => this.#ping(everyMs));
  }

  #ping(pingEveryMs: number): void {
    this.#lastPingAtMs = this.#options.clock.now();
    this.#pingIn(pingEveryMs, pingEveryMs);
    if (this.#socket.readyState !== OPEN) return;
    this.#sendPing();
    // Another PING does not move the deadline of an answer that is already due.
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
  // The client does not wait for a patient gateway: a PING also finds out that the other side has gone.
  return Math.min(HEARTBEAT_INTERVAL_MS, Math.max(LEAST_PING_INTERVAL_MS, usualMs));
}

function broken(): Parting {
  return { reason: 'network', retryAfterMs: undefined, reconnect: true };
}

/** The meaning of the documented gateway's close frame (Events rule 3). */
function partingOf(closeReason: string): Parting {
  const reasons: Readonly<Record<string, DisconnectReason>> = {
    [CLOSE_REASONS.dead]: 'dead',
    [CLOSE_REASONS.rateLimited]: 'rate_limited',
    [CLOSE_REASONS.serverError]: 'server_error',
  };
  return { ...broken(), reason: reasons[closeReason] ?? 'network' };
}

/** Cuts the connection if the WebSocket can: a dead one would keep a process alive for long. */
function terminate(socket: WebSocketLike): void {
  if ('terminate' in socket && typeof socket.terminate === 'function') socket.terminate();
}
