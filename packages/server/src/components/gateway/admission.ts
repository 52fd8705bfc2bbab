import {
  ACCOUNT_PROFILE,
  accessCodeOffered,
  RateLimitedError,
  ServerError,
  type DisconnectReason,
} from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { ConnectionRules } from '../../gateway-host.ts';
import type { ClientResolver } from '../../http/client-address.ts';
import { newConnection, type ConnectingClient, type Connection } from './connection.ts';
import type { Arrivals } from './arrivals.ts';
import type { Connections } from './connections.ts';
import { profileOf } from './profile.ts';

export interface AdmissionOptions {
  readonly ctx: Context;
  readonly rules: ConnectionRules;
  readonly clientOf: ClientResolver;
  readonly connections: Connections;
  /** Returns whether a client has seen more than has arrived here. */
  readonly isBehind: (connecting: ConnectingClient) => boolean;
  readonly arrivals: Arrivals;
  /** Answers a client that does not even get a connection. */
  readonly refuse: (request: Request, error: Error) => Promise<Response>;
}

/** Why a client is refused, and how long it has to wait. */
interface Refusal {
  readonly reason: DisconnectReason;
  readonly retryAfterMs: number;
}

/** The number of users and guests of one address who may connect as often as the limit allows each of them. */
const TIMES_OF_ADDRESS = 10;

const OPENING = 'Opening the connection';

/** Decides on the clients that want to connect. */
export class Admission {
  readonly #options: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** The state of a connection that is accepted, if only to be refused there, or the answer to a client that is not. */
  async decide(request: Request, peer: string): Promise<Connection | Response> {
    const { ctx, clientOf, connections, arrivals } = this.#options;
    const client = clientOf(request, peer);
    const accessCode = accessCodeOffered(request.headers.get('sec-websocket-protocol'));
    const connecting: ConnectingClient = { client, accessCode, profile: profileOf(request.url) };
    const refusal = await this.#refusalOf(connecting);
    const mayWait = refusal === undefined && !connections.isFull;
    if (mayWait && this.#options.isBehind(connecting)) await arrivals.wait();
    const now = ctx.clock.monotonicMs();
    if (refusal === undefined && !connections.isFull) return newConnection(connecting, now);
    if (!connections.isCrowded) {
      const reason = connections.isEnding ? 'shutdown' : 'full';
      return newConnection(connecting, now, refusal ?? { reason, retryAfterMs: 0 });
    }
    const error =
      refusal?.reason === 'rate_limited'
        ? new RateLimitedError(refusal.retryAfterMs)
        : new ServerError(OPENING);
    ctx.refusals.count(error.name, client);
    return this.#options.refuse(request, error);
  }

  async #refusalOf(connecting: ConnectingClient): Promise<Refusal | undefined> {
    const { ctx, rules } = this.#options;
    const { client, accessCode } = connecting;
    const { allowed, retryAfterMs } = await this.#count(connecting);
    if (!allowed) return { reason: 'rate_limited', retryAfterMs };
    try {
      const reason = await rules.refusalOf({ kind: 'guest', address: client, accessCode });
      return reason === undefined ? undefined : { reason, retryAfterMs: 0 };
    } catch (error) {
      if (error instanceof RateLimitedError) {
        return { reason: 'rate_limited', retryAfterMs: Number(error.data?.['retry_after']) };
      }
      ctx.failures.report(error, OPENING);
      return { reason: 'server_error', retryAfterMs: 0 };
    }
  }

  // Clients of profile 2 are counted again when it is known which user they are.
  #count({ client, profile }: ConnectingClient) {
    const { limiter } = this.#options.ctx;
    if (profile.version !== ACCOUNT_PROFILE) return limiter.take('gateway', client);
    return limiter.take('gateway_connect', `all of ${client}`, TIMES_OF_ADDRESS);
  }
}
