import {
  CLOSE_REASONS,
  lobbySightOf,
  UpgradeRequiredError,
  ACCOUNT_PROFILE,
  DISCONNECT_REASONS,
  DOCUMENTED_PROFILE,
  type DisconnectReason,
} from '@hearth/protocol';
import { rateLimitsOf } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import type { GatewayAccounts, GatewayPart } from '../../gateway-host.ts';
import { drainUnread } from '../../http/body.ts';
import { renderError } from '../../http/respond.ts';
import {
  serveSockets,
  socketEndpoint,
  type SocketEndpoint,
  type SocketServer,
} from '../../runtime/socket-server.ts';
import type {
  BusStart,
  Delivery,
  EndPublication,
  EventDelivery,
  Subscription,
} from '../../ports/bus/bus.ts';
import { Admission } from './admission.ts';
import { Arrivals } from './arrivals.ts';
import { Authenticator } from './authenticator.ts';
import type { Connection, ConnectionSocket } from './connection.ts';
import { Connections } from './connections.ts';
import { accountHelloText } from './event-texts.ts';
import { Expulsions } from './expulsions.ts';
import { EVENT_LOOP, FanOut } from './fan-out.ts';
import { Incoming } from './incoming.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { partingText } from './parting-text.ts';
import { sendBounds } from './send-bounds.ts';
import { SessionSockets } from './session-sockets.ts';
import { SocketServers } from './socket-servers.ts';
import { Streams } from './streams.ts';

/** The time that readers may take for what is buffered when the gateway stops. */
const STOP_READ_MS = 2_000;

/** Payloads above it are cut by the runtime with 1009, before this process has to hold them. */
const RUNTIME_PAYLOAD_BYTES = 1024 * 1024;

const OPENING = 'Opening the connection';

/** Pushes events to all connected clients (Gateway, Events), and to clients of profile 1 what they missed. */
export class Gateway {
  readonly #ctx: Context;
  readonly #options: GatewayOptions;
  readonly #connections: Connections;
  readonly #fanOut: FanOut<Delivery | BusStart>;
  readonly #streams: Streams;
  readonly #admission: Admission;
  readonly #authenticator: Authenticator;
  readonly #accounts: GatewayAccounts;
  readonly #sessions: SessionSockets;
  readonly #parts: readonly GatewayPart[];
  /** Functions of the parts that handle events, and ends of accesses: one is called for each. */
  readonly #takers: readonly ((delivery: EventDelivery) => void)[];
  readonly #endTakers: readonly ((ended: EndPublication) => void)[];
  readonly #incoming: Incoming;
  readonly #expulsions: Expulsions;
  readonly #servers = new SocketServers();
  /** The endpoint at the gateway's port, and at any other port where clients may connect. */
  readonly endpoint: SocketEndpoint<Connection>;
  #server: SocketServer | undefined;
  #subscription: Subscription | undefined;

  /** Follows the stream of events, without clients: see {@link listen}. Rejects if the bus has no position. */
  static async follow(ctx: Context, options: GatewayOptions): Promise<Gateway> {
    let gateway: Gateway | undefined;
    const subscription = await ctx.bus.subscribe({
      begin: (start) => {
        if (gateway === undefined) gateway = new Gateway(ctx, options, start);
        else void gateway.#fanOut.send(start);
      },
      take: (delivery) => (gateway === undefined ? undefined : gateway.#fanOut.send(delivery)),
    });
    if (gateway === undefined) throw new Error("the bus did not report the stream's position");
    gateway.#subscription = subscription;
    return gateway;
  }

  private constructor(ctx: Context, options: GatewayOptions, start: BusStart) {
    this.#ctx = ctx;
    this.#options = options;
    this.#connections = this.#openConnections();
    this.#fanOut = this.#openFanOut();
    this.#streams = new Streams({
      servers: this.#servers,
      clock: ctx.clock,
      bounds: ctx.settings.gateway.replay,
      isLobbyOpen: lobbySightOf(ctx.settings.lobby, false).follows,
      audienceTest: options.features.audienceTest,
      start,
      ...sendBounds(ctx.settings),
      onBreak: () => this.#connections.closeProfiles('server_error'),
      giveUp: (socket) => this.#connections.close(socket, 'too_slow'),
    });
    const arrivals = this.#arrivals();
    const { parts, ...features } = options.features.start({
      hub: this.#streams.hub,
      servers: this.#servers,
      arrivals,
      since: () => this.#streams.since(),
      openCount: () => this.#connections.openCount,
    });
    this.#accounts = features.accounts;
    this.#parts = parts;
    this.#takers = parts.flatMap((part) => part.take?.bind(part) ?? []);
    this.#endTakers = parts.flatMap((part) => part.takeEnd?.bind(part) ?? []);
    const own = { ctx, connections: this.#connections, streams: this.#streams, arrivals };
    this.#sessions = new SessionSockets({
      ...ctx,
      ...features,
      close: (socket) => this.#connections.close(socket, 'unauthorized'),
    });
    this.#authenticator = new Authenticator({
      ...own,
      ...features,
      sessions: this.#sessions,
      hello: accountHelloText(rateLimitsOf(ctx.settings).gateway_events),
      onEnter: (socket) => this.#onEnter(socket),
    });
    this.#incoming = new Incoming({ ...own, ...features, authenticator: this.#authenticator });
    this.#admission = new Admission({
      ...own,
      rules: options.features.rules,
      clientOf: options.clientOf,
      isBehind: (connecting) => this.#streams.isBehind(connecting),
      refuse: (request, error) => this.#refuse(request, error),
    });
    this.#expulsions = new Expulsions(options.features.rules, this.#connections);
    this.endpoint = this.#endpoint();
  }

  /** Starts to listen at the gateway's own port. Throws the system's error if it cannot. */
  listen(): void {
    const { hostname, port } = this.#options;
    this.#server = serveSockets({ hostname, port }, this.endpoint);
    this.#servers.add(this.#server);
  }

  /** Sends events also to the sockets of a server that has the gateway's endpoint, and that its owner stops. */
  alsoAt(server: SocketServer): void {
    this.#servers.add(server);
  }

  /** Closes every connection with "Server error". Resolves when they are gone, after a grace period at the latest. */
  async stop(): Promise<void> {
    this.#expulsions.stop();
    this.#sessions.stop();
    for (const part of this.#parts) part.stop?.();
    this.#subscription?.unsubscribe();
    this.#fanOut.flush();
    const stopped = this.#server?.stop();
    this.#connections.closeAll();
    const timer = setTimeout(() => {
      void this.#server?.terminate();
      this.#connections.terminateAll();
    }, STOP_READ_MS);
    await Promise.all([stopped, this.#connections.ended()]);
    clearTimeout(timer);
    this.#connections.stopTicking();
  }

  #endpoint(): SocketEndpoint<Connection> {
    return socketEndpoint<Connection>({
      maxPayloadBytes: RUNTIME_PAYLOAD_BYTES,
      dropAboveBytes: sendBounds(this.#ctx.settings).dropAboveBytes,
      admit: (request, peer) => this.#admission.decide(request, peer),
      refuse: (request) => this.#refuse(request, new UpgradeRequiredError()),
      onOpen: (socket) => this.#onOpen(socket),
      onMessage: (socket, payload) => this.#incoming.payload(socket, payload),
      onControlFrame: (socket) => this.#incoming.controlFrame(socket),
      onDrain: (socket) => {
        this.#connections.finishIfRead(socket);
        this.#streams.resume(socket);
      },
      onClose: (socket) => {
        this.#connections.delete(socket);
        this.#streams.forget(socket);
        this.#authenticator.leave(socket);
        for (const part of this.#parts) part.forget?.(socket);
      },
      onRequestFault: (error) => {
        this.#ctx.log.error({ err: error }, 'connection failed to open');
        return renderError(error, OPENING);
      },
      onSocketFault: (error, socket) => {
        this.#ctx.log.error({ err: error }, 'payload failed');
        this.#connections.close(socket, 'server_error');
      },
    });
  }

  #openConnections(): Connections {
    return new Connections({
      clock: this.#ctx.clock,
      limits: this.#options.limits,
      sendBufferBytes: this.#ctx.settings.gateway.sendBufferBytes,
      sendBufferTotalBytes: this.#ctx.settings.gateway.sendBufferTotalBytes,
      onRefusal: (reason, client) => this.#ctx.refusals.count(closeReason(reason), client),
      onTick: () => this.#onTick(),
      onLeave: (socket) => this.#onLeave(socket),
      onClose: (socket, reason) => this.#sayGoodbye(socket, reason),
    });
  }

  #openFanOut(): FanOut<Delivery | BusStart> {
    return new FanOut<Delivery | BusStart>({
      ...EVENT_LOOP,
      publish: (next) => this.#handOn(next),
      isSweepDue: () =>
        this.#streams.isSweepDue || this.#streams.bytesSinceSweep > this.#connections.roomEachBytes,
      sweep: () => {
        this.#streams.sweep((socket) => this.#connections.closeIfSlow(socket));
        this.#connections.makeRoom();
      },
      onFault: (error) => this.#ctx.log.error({ err: error }, 'dispatch failed'),
      paceOf: (next) => ('event' in next ? this.#streams.hub.paceOf(next) : 'next turn'),
    });
  }

  #arrivals(): Arrivals {
    return new Arrivals({
      log: this.#ctx.log,
      caughtUp: async () => {
        await this.#subscription?.current();
        await this.#fanOut.settled();
      },
    });
  }

  #handOn(next: Delivery | BusStart): void {
    if ('heads' in next) {
      this.#streams.begin(next);
      for (const part of this.#parts) part.restart?.();
      return;
    }
    this.#streams.send(next);
    if ('end' in next) {
      for (const take of this.#endTakers) take(next);
      return;
    }
    for (const take of this.#takers) take(next);
    const ended = this.#accounts.endedBy(next.event);
    // After the event itself: the session's own sockets are sent that, and nothing more.
    if (ended !== undefined) this.#sessions.end(ended);
  }

  // Holds no descriptor for a client that was refused.
  async #refuse(request: Request, error: Error): Promise<Response> {
    await drainUnread(request);
    return renderError(error, OPENING, { Connection: 'close', 'Sec-WebSocket-Version': '13' });
  }

  #onOpen(socket: ConnectionSocket): void {
    this.#connections.opened();
    this.#expulsions.reconsider(socket.data);
    const isOpen = socket.data.status.state === 'open';
    if (socket.data.profile.version === ACCOUNT_PROFILE) this.#authenticator.begin(socket);
    else if (isOpen) this.#streams.follow(socket);
    else this.#streams.greet(socket);
    this.#connections.add(socket);
    if (isOpen) this.#onEnter(socket);
    this.#options.onOpen?.(socket, this.#streams.hub);
  }

  #onEnter(socket: ConnectionSocket): void {
    const { profile } = socket.data;
    const user = profile.version === ACCOUNT_PROFILE ? profile.user : undefined;
    for (const part of this.#parts) part.enter?.(socket, user);
  }

  #onTick(): void {
    this.#streams.trim();
    this.#sessions.tick();
    for (const part of this.#parts) part.tick?.();
  }

  #onLeave(socket: ConnectionSocket): void {
    this.#streams.leave(socket);
    this.#authenticator.leave(socket);
    for (const part of this.#parts) part.leave?.(socket);
  }

  #sayGoodbye(socket: ConnectionSocket, reason: DisconnectReason): void {
    if (socket.data.profile.version === DOCUMENTED_PROFILE) return;
    const { clock } = this.#ctx;
    const { rules } = this.#options.features;
    socket.send(partingText({ clock, rules }, socket.data, reason));
  }
}

function closeReason(reason: DisconnectReason): string {
  return CLOSE_REASONS[DISCONNECT_REASONS[reason].close];
}
