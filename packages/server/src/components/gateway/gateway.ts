import {
  CLOSE_REASONS,
  RateLimitedError,
  ServerError,
  UpgradeRequiredError,
  maxMessageBytes,
  type ServerEvent,
} from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { drainUnread } from '../../http/body.ts';
import type { ClientResolver } from '../../http/client-address.ts';
import { renderError } from '../../http/respond.ts';
import type { SocketLimits } from '../../runtime/descriptor-limit.ts';
import { serveSockets, type SocketServer } from '../../runtime/socket-server.ts';
import { newConnection, type Connection, type ConnectionSocket } from './connection.ts';
import { Connections, EVERYONE } from './connections.ts';
import { FanOut, SWEEP_BYTES } from './fan-out.ts';
import {
  clientEventReader,
  type ClientEventReader,
  isOverControlLimit,
  isOverPayloadLimit,
  isTooLarge,
} from './payload.ts';

/** How long readers may take for what is buffered when the gateway stops. */
const STOP_READ_MS = 2_000;

/** Payloads above it are cut by the runtime with 1009, before this process has to hold them. */
const RUNTIME_PAYLOAD_BYTES = 1024 * 1024;

const OPENING = 'Opening the connection';
const PONG = encode({ op: 'PONG' });

/** What a gateway is started with. */
export interface GatewayOptions {
  readonly hostname: string;
  readonly port: number;
  readonly clientOf: ClientResolver;
  readonly limits: SocketLimits;
}

/** Pushes events to everyone who is connected (Gateway, Events). */
export class Gateway {
  readonly #ctx: Context;
  readonly #options: GatewayOptions;
  readonly #connections: Connections;
  readonly #fanOut: FanOut;
  readonly #server: SocketServer;
  readonly #unsubscribe: () => void;
  /** Made for the first client. */
  #readClientEvent: ClientEventReader | undefined;

  /** Starts to listen. Throws the system's error when it cannot. */
  constructor(ctx: Context, options: GatewayOptions) {
    this.#ctx = ctx;
    this.#options = options;
    this.#server = this.#listen();
    this.#connections = new Connections({
      clock: ctx.clock,
      limits: options.limits,
      sendBufferBytes: ctx.settings.gateway.sendBufferBytes,
      onRefusal: (reason, client) => ctx.refusals.count(CLOSE_REASONS[reason], client),
    });
    this.#fanOut = new FanOut({
      publish: (text) => this.#server.publish(EVERYONE, text),
      sweep: () => this.#connections.closeSlowReaders(),
      onFault: (error) => ctx.log.error({ err: error }, 'dispatch failed'),
      nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
    });
    this.#unsubscribe = ctx.bus.subscribe(({ event }) =>
      this.#connections.isEmpty ? undefined : this.#fanOut.send(encode(event)),
    );
  }

  /** Closes every connection with "Server error" and resolves when they are gone, at the latest after a grace. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    const stopped = this.#server.stop();
    this.#connections.closeAll();
    const timer = setTimeout(() => void this.#server.terminate(), STOP_READ_MS);
    await stopped;
    clearTimeout(timer);
    this.#connections.stopTicking();
  }

  #listen(): SocketServer {
    const { hostname, port } = this.#options;
    return serveSockets<Connection>({
      hostname,
      port,
      maxPayloadBytes: RUNTIME_PAYLOAD_BYTES,
      dropAboveBytes: this.#dropAboveBytes(),
      admit: (request, peer) => this.#admit(request, peer),
      refuse: (request) => this.#refuse(request, new UpgradeRequiredError()),
      onOpen: (socket) => this.#connections.add(socket),
      onMessage: (socket, payload) => this.#onMessage(socket, payload),
      onControlFrame: (socket) => this.#onControlFrame(socket),
      onDrain: (socket) => this.#connections.finishIfRead(socket),
      onClose: (socket) => this.#connections.delete(socket),
      onRequestFault: (error) => {
        this.#ctx.log.error({ err: error }, 'connection failed to open');
        return renderError(error, OPENING);
      },
      onSocketFault: (error, socket) => {
        this.#ctx.log.error({ err: error }, 'payload failed');
        this.#connections.close(socket, 'serverError');
      },
    });
  }

  // Between two sweeps a socket's buffer grows by what a sweep allows and one event more at the most.
  #dropAboveBytes(): number {
    const { sendBufferBytes } = this.#ctx.settings.gateway;
    const largestEvent = maxMessageBytes(this.#ctx.settings.rest.messageLimit);
    return 2 * (sendBufferBytes + SWEEP_BYTES + largestEvent);
  }

  async #admit(request: Request, peer: string): Promise<Connection | Response> {
    const { clock, limiter, refusals } = this.#ctx;
    this.#readClientEvent ??= clientEventReader(await this.#ctx.schemas());
    const client = this.#options.clientOf(request, peer);
    const verdict = await limiter.take('gateway', client);
    const now = clock.monotonicMs();
    if (verdict.allowed && !this.#connections.isFull) return newConnection(client, now);
    if (!this.#connections.isCrowded) {
      return newConnection(client, now, verdict.allowed ? 'serverError' : 'rateLimited');
    }
    const error = verdict.allowed
      ? new ServerError(OPENING)
      : new RateLimitedError(verdict.retryAfterMs);
    refusals.count(error.name, client);
    return this.#refuse(request, error);
  }

  // Keeps no descriptor for a client that was told no.
  async #refuse(request: Request, error: Error): Promise<Response> {
    await drainUnread(request);
    return renderError(error, OPENING, { Connection: 'close', 'Sec-WebSocket-Version': '13' });
  }

  #onControlFrame(socket: ConnectionSocket): void {
    const { limit } = this.#ctx.settings.gateway;
    if (isOverControlLimit(socket.data, limit, this.#ctx.clock.monotonicMs())) {
      this.#connections.close(socket, 'rateLimited');
    }
  }

  #onMessage(socket: ConnectionSocket, payload: string | Uint8Array): void {
    const connection = socket.data;
    if (connection.status.state !== 'open') return;
    const now = this.#ctx.clock.monotonicMs();
    const { limit } = this.#ctx.settings.gateway;
    if (isOverPayloadLimit(connection, limit, now) || isTooLarge(payload)) {
      return this.#connections.close(socket, 'rateLimited');
    }
    const event = this.#readClientEvent?.(payload);
    switch (event?.op) {
      case 'PING':
        connection.lastPingAt = now;
        socket.send(PONG);
        break;
      case undefined:
        break;
    }
  }
}

function encode(event: ServerEvent): string {
  return JSON.stringify(event);
}
