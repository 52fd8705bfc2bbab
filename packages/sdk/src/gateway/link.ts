import { HEARTBEAT_INTERVAL_MS } from '@hearth/protocol';
import {
  EVENT_OPS,
  type ReceivedAccountEvent,
  type ReceivedEvent,
  type ReceivedProfileEvent,
} from '@hearth/protocol/received';
import { deferred, type Deferred } from '../deferred.ts';
import type { GatewayEvent, LinkOptions } from './link-options.ts';
import { accountOpening, lobbyOpening, type Opening } from './opening.ts';
import { broken, partingOf, type Parting } from './parting.ts';
import { accountPayload, documentedPayload, profilePayload, type Payload } from './payload.ts';
import type { WebSocketLike } from './web-socket.ts';

type Phase =
  | { readonly state: 'connecting' }
  /** The socket is open; the first payload shows the gateway's profile. */
  | { readonly state: 'greeting' }
  /** After HELLO, until any payload but DISCONNECT shows that the gateway accepts the client (LB23). */
  | { readonly state: 'greeted'; readonly opening: Opening; readonly heartbeatMs: number }
  /** After HELLO of profile 2, until READY or RESUMED. */
  | { readonly state: 'authenticating'; readonly heartbeatMs: number }
  | { readonly state: 'open'; readonly profile: Opening['profile']; readonly pingEveryMs: number }
  | { readonly state: 'ended' };

type AnyPayload = Payload<ReceivedAccountEvent | ReceivedProfileEvent | ReceivedEvent>;
type Disconnect = Extract<ReceivedProfileEvent, { op: 'DISCONNECT' }>;

/** The readers of the payloads of each profile. */
const PAYLOADS = [documentedPayload, profilePayload, accountPayload] as const;

/** The time that the gateway may take to answer a PING. */
const PONG_TIMEOUT_MS = 10_000;
/** The time before the gateway's own deadline at which the client pings. */
const PING_MARGIN_MS = 5_000;
/** The shortest interval between PINGs, even if a gateway asks for a shorter one. */
const LEAST_PING_INTERVAL_MS = 1_000;
/** The shortest time between checks, however often a caller asks: the gateway allows 5 payloads in 10 s. */
const LEAST_CHECK_INTERVAL_MS = 5_000;
/** The time that the other side may take to close. */
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

  /** Sends a payload, if the connection is open; another link sends what it needs. */
  send(payload: object): void {
    if (this.#phase.state !== 'open' || this.#socket.readyState !== OPEN) return;
    this.#socket.send(JSON.stringify(payload));
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
    if (!this.#options.asksProfile) return this.#open({ profile: 0 });
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
      case 'greeting':
        return this.#greeted(data);
      case 'greeted': {
        // The connection was refused: the answer to the PING changes nothing.
        if (this.#parting !== undefined) return;
        const next = profilePayload(data);
        if (next.op === 'DISCONNECT') return this.#disconnecting(next);
        this.#open(phase.opening, phase.heartbeatMs);
        return this.#received(data);
      }
      case 'authenticating':
        return this.#authenticated(phase.heartbeatMs, data);
      case 'open':
        return this.#inOpen(phase, data);
    }
  }

  #greeted(data: unknown): void {
    const { authenticate } = this.#options;
    const account = authenticate === undefined ? undefined : accountPayload(data);
    if (account?.op === 'HELLO') {
      this.#phase = { state: 'authenticating', heartbeatMs: account.d.heartbeat_interval };
      this.#socket.send(JSON.stringify({ op: 'AUTHENTICATE', d: authenticate }));
      return;
    }
    const first = profilePayload(data);
    if (first.op === 'DISCONNECT') return this.#disconnecting(first);
    if (first.op === 'HELLO') {
      const { heartbeat_interval: heartbeatMs } = first.d;
      this.#phase = { state: 'greeted', opening: lobbyOpening(first.d), heartbeatMs };
      return;
    }
    this.#open({ profile: 0 });
    this.#received(data);
  }

  #authenticated(heartbeatMs: number, data: unknown): void {
    if (this.#parting !== undefined) return;
    const payload = accountPayload(data);
    if (payload.op === 'READY' || payload.op === 'RESUMED') {
      this.#open(accountOpening(payload), heartbeatMs);
    } else if (payload.op === 'DISCONNECT') {
      this.#disconnecting(payload);
    } else if (payload.op === 'PONG') {
      this.#pongs.shift()?.resolve();
    } else if (payload.op === 'broken') {
      this.#end(broken());
      terminate(this.#socket);
    }
  }

  #inOpen({ profile, pingEveryMs }: Extract<Phase, { state: 'open' }>, data: unknown): void {
    // Any payload is a sign of life.
    if (this.#parting === undefined) this.#expectNothing();
    this.#handle(PAYLOADS[profile](data));
    // Timers of hidden pages may be late; messages are not.
    const sinceMs = this.#options.clock.now() - this.#lastPingAtMs;
    if (this.#phase.state === 'open' && sinceMs > pingEveryMs / 2) this.#ping(pingEveryMs);
  }

  #handle(payload: AnyPayload): void {
    if (isEvent(payload)) return this.#options.listener.event(payload);
    switch (payload.op) {
      case 'DISCONNECT':
        return this.#disconnecting(payload);
      case 'ONLINE':
        return this.#options.listener.online(payload.d.count);
      case 'PAUSES':
        return this.#options.listener.pauses(payload.d);
      case 'broken':
        return this.#options.listener.broken(payload);
      case 'PONG':
        return this.#pongs.shift()?.resolve();
      // A PING that was ignored is sent again anyway.
      case 'RATE_LIMITED':
        return this.#options.listener.limited(payload.d.retry_after);
      // They come once, before the connection is open.
      case 'HELLO':
      case 'READY':
      case 'RESUMED':
        return;
    }
  }

  #disconnecting({ d }: Disconnect): void {
    const { reason, reconnect, retry_after: retryAfterMs, ban } = d;
    this.#parting = { reason, reconnect, retryAfterMs, ban };
    // The close frame follows.
    this.#expectWithin(CLOSE_TIMEOUT_MS);
  }

  #open(opening: Opening, heartbeatMs: number = HEARTBEAT_INTERVAL_MS): void {
    const pingEveryMs = pingInterval(heartbeatMs);
    this.#expectNothing();
    this.#phase = { state: 'open', profile: opening.profile, pingEveryMs };
    this.#lastPingAtMs = this.#options.clock.now();
    this.#pingIn(pingEveryMs, pingEveryMs);
    this.#options.listener.opened(opening);
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

/** Cuts the connection if the WebSocket can: a dead one would keep a process alive for long. */
function terminate(socket: WebSocketLike): void {
  if ('terminate' in socket && typeof socket.terminate === 'function') socket.terminate();
}

function isEvent(payload: AnyPayload): payload is GatewayEvent {
  return payload.op === 'unknown' || EVENT_OPS.has(payload.op);
}
