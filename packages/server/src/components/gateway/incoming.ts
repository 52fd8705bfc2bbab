import { ACCOUNT_PROFILE, type RateLimit } from '@hearth/protocol';
import { rateLimitsOf } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import type { StartedFeatures } from '../../gateway-host.ts';
import type { Authenticator } from './authenticator.ts';
import type { Connection, ConnectionSocket } from './connection.ts';
import type { Connections } from './connections.ts';
import { PONG, rateLimitedText } from './event-texts.ts';
import {
  isForgiven,
  isOverControlLimit,
  isOverPayloadLimit,
  isTooLarge,
  readClientEvent,
  windowEnd,
} from './payload.ts';

export interface IncomingOptions {
  readonly ctx: Pick<Context, 'clock' | 'settings'>;
  readonly connections: Pick<Connections, 'close'>;
  readonly authenticator: Pick<Authenticator, 'take'>;
  readonly watching: StartedFeatures['watching'];
}

/** Counts and handles what clients send. */
export class Incoming {
  readonly #options: IncomingOptions;
  readonly #limits: { readonly usual: RateLimit; readonly account: RateLimit };

  constructor(options: IncomingOptions) {
    this.#options = options;
    const { gateway, gateway_events } = rateLimitsOf(options.ctx.settings);
    this.#limits = { usual: gateway, account: gateway_events };
  }

  payload(socket: ConnectionSocket, payload: string | Uint8Array): void {
    const connection = socket.data;
    if (connection.status.state !== 'open') return;
    const now = this.#options.ctx.clock.monotonicMs();
    const limit = this.#limitOf(connection);
    const isOver = isOverPayloadLimit(connection, limit, now);
    if (isTooLarge(payload) || (isOver && !isForgiven(connection, limit))) {
      return this.#closeOverLimit(socket, limit);
    }
    if (isOver) {
      socket.send(rateLimitedText(windowEnd(connection, limit) - now));
      return;
    }
    this.#handle(socket, payload, now);
  }

  /** Counts a ping or pong of the WebSocket protocol, which the runtime handles. */
  controlFrame(socket: ConnectionSocket): void {
    const limit = this.#limitOf(socket.data);
    if (isOverControlLimit(socket.data, limit, this.#options.ctx.clock.monotonicMs())) {
      this.#closeOverLimit(socket, limit);
    }
  }

  #handle(socket: ConnectionSocket, payload: string | Uint8Array, now: number): void {
    const { data: connection } = socket;
    const { profile } = connection;
    const event = readClientEvent(payload);
    switch (event?.op) {
      case 'PING':
        // Until AUTHENTICATE comes, only that counts.
        if (profile.version !== ACCOUNT_PROFILE || profile.stage !== 'new') {
          connection.lastPingAt = now;
        }
        socket.send(PONG);
        break;
      case 'AUTHENTICATE':
        if (profile.version !== ACCOUNT_PROFILE) break;
        if (profile.stage === 'new') connection.lastPingAt = now;
        this.#options.authenticator.take(socket, profile, event.d);
        break;
      case 'WATCH':
        if (profile.version !== ACCOUNT_PROFILE || profile.stage !== 'in') break;
        this.#options.watching.watch(socket, profile.user, event.d);
        break;
      case undefined:
        break;
    }
  }

  #limitOf({ profile }: Connection): RateLimit {
    return profile.version === ACCOUNT_PROFILE ? this.#limits.account : this.#limits.usual;
  }

  #closeOverLimit(socket: ConnectionSocket, limit: RateLimit): void {
    socket.data.retryAt = windowEnd(socket.data, limit);
    this.#options.connections.close(socket, 'rate_limited');
  }
}
