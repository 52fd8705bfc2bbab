import {
  CLOSE_CODE,
  CLOSE_REASONS,
  HEARTBEAT_TIMEOUT_MS,
  UpgradeRequiredError,
  type CloseReason,
  type ServerEvent,
} from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { ClientResolver } from '../../http/client-address.ts';
import { renderError } from '../../http/respond.ts';
import { serveSockets, type SocketServer } from '../../runtime/socket-server.ts';
import type { Connection, ConnectionSocket } from './connection.ts';
import { FanOut, SWEEP_BYTES } from './fan-out.ts';
import { isOverPayloadLimit, isTooLarge, readClientEvent } from './payload.ts';
import { TimingWheel } from './timing-wheel.ts';

const TOPIC = 'everyone';
const TICK_MS = 1_000;

/** A tick this late was a halt of the whole process: what clients sent meanwhile must be read before they are judged. */
const HALT_MS = 3_000;

/** How long a slow reader may take for what is buffered, and every reader at a stop. */
const LAST_READ_MS = 30_000;
const STOP_READ_MS = 2_000;

/** Payloads above it are cut by the runtime with 1009, before this process has to hold them. */
const RUNTIME_PAYLOAD_BYTES = 1024 * 1024;

const PONG = encode({ op: 'PONG' });

/** What a gateway is started with. */
export interface GatewayOptions {
  readonly hostname: string;
  readonly port: number;
  readonly clientOf: ClientResolver;
  /** Sockets at once; one more is refused. */
  readonly maxSockets: number;
}

/** Pushes events to everyone who is connected (Gateway, Events). */
export class Gateway {
  readonly #ctx: Context;
  readonly #options: GatewayOptions;
  readonly #sockets = new Set<ConnectionSocket>();
  readonly #wheel: TimingWheel<ConnectionSocket>;
  readonly #fanOut: FanOut;
  readonly #server: SocketServer;
  readonly #stopTicking: () => void;
  readonly #unsubscribe: () => void;
  #lastTickAt: number;
  #isStopping = false;

  /** Starts to listen. Throws the system's error when it cannot. */
  constructor(ctx: Context, options: GatewayOptions) {
    this.#ctx = ctx;
    this.#options = options;
    this.#lastTickAt = ctx.clock.monotonicMs();
    this.#wheel = new TimingWheel(this.#lastTickAt, (socket) => this.#onDue(socket));
    this.#server = this.#listen();
    this.#fanOut = new FanOut({
      publish: (text) => this.#server.publish(TOPIC, text),
      sweep: () => this.#sweep(),
      nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
    });
    this.#stopTicking = ctx.clock.every(TICK_MS, () => this.#tick());
    this.#unsubscribe = ctx.bus.subscribe(({ event }) => this.#fanOut.send(encode(event)));
  }

  /** Closes every connection with "Server error" and resolves when they are gone, at the latest after a grace. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#unsubscribe();
    const stopped = this.#server.stop();
    for (const socket of this.#sockets) this.#close(socket, 'serverError');
    const timer = setTimeout(() => void this.#server.terminate(), STOP_READ_MS);
    await stopped;
    clearTimeout(timer);
    this.#stopTicking();
  }

  #listen(): SocketServer {
    const { hostname, port, clientOf } = this.#options;
    return serveSockets<Connection>({
      hostname,
      port,
      maxPayloadBytes: RUNTIME_PAYLOAD_BYTES,
      dropAboveBytes: this.#dropAboveBytes(),
      admit: (request, peer) => this.#admit(clientOf(request.headers, peer)),
      refuse: () => renderError(new UpgradeRequiredError(), 'Opening the connection'),
      onOpen: (socket) => this.#onOpen(socket),
      onMessage: (socket, payload) => this.#onMessage(socket, payload),
      onDrain: (socket) => this.#onDrain(socket),
      onClose: (socket) => this.#onClose(socket),
      onFault: (error) => {
        this.#ctx.log.error({ err: error }, 'connection failed to open');
        return renderError(error, 'Opening the connection');
      },
    });
  }

  // Between two sweeps a socket's buffer grows by what a sweep allows and one event more at the most.
  #dropAboveBytes(): number {
    const { sendBufferBytes } = this.#ctx.settings.gateway;
    const largestEvent = this.#ctx.settings.rest.messageLimit * 12 + 64 * 1024;
    return 2 * (sendBufferBytes + SWEEP_BYTES + largestEvent);
  }

  async #admit(client: string): Promise<Connection> {
    const verdict = await this.#ctx.limiter.take('pandemonium', client);
    const now = this.#ctx.clock.monotonicMs();
    return {
      client,
      status: this.#admission(verdict.allowed),
      lastPingAt: now,
      payloadWindowStartedAt: now,
      payloadCount: 0,
      wheelSlot: -1,
    };
  }

  #admission(isAllowed: boolean): Connection['status'] {
    if (!isAllowed) return { state: 'refused', reason: 'rateLimited' };
    if (this.#isStopping || this.#sockets.size >= this.#options.maxSockets) {
      return { state: 'refused', reason: 'serverError' };
    }
    return { state: 'open' };
  }

  #onOpen(socket: ConnectionSocket): void {
    const { status } = socket.data;
    if (status.state === 'refused') return this.#finish(socket, status.reason);
    this.#sockets.add(socket);
    socket.subscribe(TOPIC);
    this.#wheel.schedule(socket, socket.data.lastPingAt + HEARTBEAT_TIMEOUT_MS);
  }

  #onMessage(socket: ConnectionSocket, payload: string | Uint8Array): void {
    const connection = socket.data;
    if (connection.status.state !== 'open') return;
    const now = this.#ctx.clock.monotonicMs();
    if (isOverPayloadLimit(connection, this.#ctx.settings.gateway.limit, now) || isTooLarge(payload)) {
      return this.#close(socket, 'rateLimited');
    }
    const event = readClientEvent(payload);
    switch (event?.op) {
      case 'PING':
        connection.lastPingAt = now;
        socket.send(PONG);
        break;
      case undefined:
        break;
    }
  }

  #onDrain(socket: ConnectionSocket): void {
    const { status } = socket.data;
    if (status.state === 'closing' && socket.getBufferedAmount() === 0) {
      this.#finish(socket, status.reason);
    }
  }

  #onClose(socket: ConnectionSocket): void {
    this.#wheel.remove(socket);
    this.#sockets.delete(socket);
  }

  /** The wheel's entry was due: silence, unless there was a PING since; or a slow reader's last chance is over. */
  #onDue(socket: ConnectionSocket): void {
    if (socket.data.status.state !== 'open') return socket.terminate();
    const dueAt = socket.data.lastPingAt + HEARTBEAT_TIMEOUT_MS;
    if (dueAt > this.#ctx.clock.monotonicMs()) this.#wheel.schedule(socket, dueAt);
    else this.#close(socket, 'dead');
  }

  #tick(): void {
    const now = this.#ctx.clock.monotonicMs();
    const wasHalted = now - this.#lastTickAt > HALT_MS;
    this.#lastTickAt = now;
    if (!wasHalted) this.#wheel.advance(now);
  }

  #sweep(): void {
    const { sendBufferBytes } = this.#ctx.settings.gateway;
    for (const socket of this.#sockets) {
      const isSlow = socket.getBufferedAmount() > sendBufferBytes;
      if (isSlow && socket.data.status.state === 'open') this.#close(socket, 'serverError');
    }
  }

  /** Sends nothing more and closes as soon as the peer has taken what is buffered, so that what it got is unbroken. */
  #close(socket: ConnectionSocket, reason: CloseReason): void {
    if (socket.data.status.state !== 'open') return;
    socket.data.status = { state: 'closing', reason };
    socket.unsubscribe(TOPIC);
    if (socket.getBufferedAmount() === 0) return this.#finish(socket, reason);
    this.#wheel.schedule(socket, this.#ctx.clock.monotonicMs() + LAST_READ_MS);
  }

  #finish(socket: ConnectionSocket, reason: CloseReason): void {
    this.#ctx.refusals.count(CLOSE_REASONS[reason], socket.data.client);
    socket.close(CLOSE_CODE, CLOSE_REASONS[reason]);
  }
}

function encode(event: ServerEvent): string {
  return JSON.stringify(event);
}
