import {
  accessCodeOffered,
  RateLimitedError,
  ServerError,
  type DisconnectReason,
} from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { findRefusal } from '../../features/moderation/find-refusal.ts';
import type { ClientResolver } from '../../http/client-address.ts';
import { newConnection, type ConnectingClient, type Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import { profileOf } from './profile.ts';

/** What deciding on clients needs. */
export interface AdmissionOptions {
  readonly ctx: Context;
  readonly clientOf: ClientResolver;
  readonly connections: Connections;
  /** Whether a client has seen more than has arrived here. */
  readonly isBehind: (connecting: ConnectingClient) => boolean;
  /** Resolves when everything has arrived here that was published before. */
  readonly caughtUp: () => Promise<void>;
  /** Answers a client that does not even get a connection. */
  readonly refuse: (request: Request, error: Error) => Promise<Response>;
}

/** Why a client is refused, and how long it has to wait. */
interface Refusal {
  readonly reason: DisconnectReason;
  readonly retryAfterMs: number;
}

const OPENING = 'Opening the connection';

/** How many clients may wait at once for events to arrive here that they have already seen. */
const MOST_AHEAD = 4_096;

/** Decides on the clients that want to connect. */
export class Admission {
  readonly #options: AdmissionOptions;
  /** How many clients wait for events to arrive here that they have already seen. */
  #aheadCount = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** The state of a connection that is accepted, if only to be refused there, or the answer to a client that is not. */
  async decide(request: Request, peer: string): Promise<Connection | Response> {
    const { ctx, clientOf, connections } = this.#options;
    const client = clientOf(request, peer);
    const accessCode = accessCodeOffered(request.headers.get('sec-websocket-protocol'));
    const connecting: ConnectingClient = { client, accessCode, profile: profileOf(request.url) };
    const refusal = await this.#refusalOf(connecting);
    if (refusal === undefined && this.#options.isBehind(connecting)) await this.#comeUp();
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

  async #refusalOf({ client, accessCode }: ConnectingClient): Promise<Refusal | undefined> {
    const { ctx } = this.#options;
    const { allowed, retryAfterMs } = await ctx.limiter.take('gateway', client);
    if (!allowed) return { reason: 'rate_limited', retryAfterMs };
    try {
      const reason = await findRefusal(ctx, { kind: 'guest', address: client, accessCode });
      return reason === undefined ? undefined : { reason, retryAfterMs: 0 };
    } catch (error) {
      if (error instanceof RateLimitedError) {
        return { reason: 'rate_limited', retryAfterMs: Number(error.data?.['retry_after']) };
      }
      ctx.failures.report(error, OPENING);
      return { reason: 'server_error', retryAfterMs: 0 };
    }
  }

  // Another gateway was faster. Clients that cannot wait are sent that the stream does not continue.
  async #comeUp(): Promise<void> {
    const { ctx, connections, caughtUp } = this.#options;
    if (this.#aheadCount >= MOST_AHEAD || connections.isFull) return;
    this.#aheadCount += 1;
    try {
      await caughtUp();
    } catch (error) {
      ctx.log.debug({ err: error }, 'the stream of events cannot be compared');
    } finally {
      this.#aheadCount -= 1;
    }
  }
}
