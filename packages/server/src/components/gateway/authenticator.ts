import {
  LOBBY_STREAM,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
  userStream,
  type DisconnectReason,
  type Id,
  type OwnUser,
  type Session,
} from '@hearth/protocol';
import type { TokenHolder } from '../../authentication.ts';
import type { Context } from '../../context.ts';
import type { StreamName, StreamPosition } from '../../ports/bus/bus.ts';
import type { Arrivals } from './arrivals.ts';
import type { ConnectionSocket } from './connection.ts';
import type { Connections } from './connections.ts';
import { readCredentials, type Credentials } from './credentials.ts';
import { readyText, resumedText } from './event-texts.ts';
import type { GatewayAccounts } from './gateway-accounts.ts';
import type { Access } from './live-streams.ts';
import type { AccountProfile } from './profile.ts';
import type { SessionSockets } from './session-sockets.ts';
import type { Streams } from './streams.ts';

/** How many clients may be connected without having sent AUTHENTICATE. For one more, the first of them is closed. */
const MOST_NEW = 4_096;

/** How many AUTHENTICATE may be in work. */
const MOST_CHECKING = 4_096;

/** How often the state of a user is read if the events since are no longer kept when it has been read. */
const MOST_READS = 3;

const OPENING = 'Opening the connection';

/** What letting in clients of profile 2 needs. */
export interface AuthenticatorOptions {
  readonly ctx: Context;
  readonly accounts: GatewayAccounts;
  readonly connections: Pick<Connections, 'close'>;
  readonly streams: Pick<Streams, 'headOf' | 'hasAllAfter' | 'isBefore' | 'hub'>;
  readonly sessions: Pick<SessionSockets, 'add' | 'delete' | 'doubt'>;
  readonly arrivals: Pick<Arrivals, 'wait'>;
  /** The first payload that clients are sent. */
  readonly hello: string;
  /** Called with a client that was let in. */
  readonly onEnter: (socket: ConnectionSocket) => void;
}

/** A client that is about to be let in. */
interface Entrant {
  readonly socket: ConnectionSocket;
  readonly profile: AccountProfile;
  readonly credentials: Credentials;
  /** Undefined for guests. */
  readonly holder: TokenHolder | undefined;
  /** The stream of its user, whose state it has to know. */
  readonly own: StreamName | undefined;
  /** All streams that it may follow. */
  readonly streams: readonly StreamName[];
}

/** The state of a user, at least as new as the user's stream was at this place. */
interface ReadState {
  readonly user: OwnUser;
  readonly session: Session;
  readonly at: StreamPosition;
}

/** Lets in clients of profile 2: they say who they are, and are sent which streams they follow from where. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  /** Clients that have not sent AUTHENTICATE, the first one first. */
  readonly #new = new Set<ConnectionSocket>();
  #checkingCount = 0;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** Greets a client, which has to authenticate. */
  begin(socket: ConnectionSocket): void {
    const { connections, hello } = this.#options;
    socket.send(hello);
    // It may be connected only to be refused.
    if (socket.data.status.state !== 'open') return;
    this.#new.add(socket);
    const [first] = this.#new;
    // Serious clients authenticate at once, so the first ones are those that only take places.
    if (this.#new.size > MOST_NEW && first !== undefined) connections.close(first, 'full');
  }

  /** Handles AUTHENTICATE. A client that has sent one before is ignored. */
  take(socket: ConnectionSocket, profile: AccountProfile, d: unknown): void {
    if (profile.stage !== 'new') return;
    profile.stage = 'checking';
    this.#new.delete(socket);
    const credentials = readCredentials(d);
    if (credentials === undefined) return this.#options.connections.close(socket, 'unauthorized');
    if (this.#checkingCount >= MOST_CHECKING) {
      return this.#options.connections.close(socket, 'full');
    }
    void this.#letIn(socket, profile, credentials);
  }

  /** Removes a client whose connection ends. */
  leave(socket: ConnectionSocket): void {
    this.#new.delete(socket);
    const { profile } = socket.data;
    if ('session' in profile && profile.session !== undefined) {
      this.#options.sessions.delete(profile.session, socket);
    }
  }

  async #letIn(
    socket: ConnectionSocket,
    profile: AccountProfile,
    credentials: Credentials,
  ): Promise<void> {
    this.#checkingCount += 1;
    try {
      const { token } = credentials;
      const { client } = socket.data;
      const holder =
        token === undefined ? undefined : await this.#options.accounts.check(token, client);
      await this.#count(holder === undefined ? client : `user ${holder.userId}`);
      const own = holder && userStream(holder.userId);
      const streams = this.#streamsOf(holder);
      await this.#enter({ socket, profile, credentials, holder, own, streams });
      // The session may have ended before the socket was among those of its session.
      if (token !== undefined) await this.#options.accounts.check(token, client);
    } catch (error) {
      this.#refuse(socket, error);
    }
    this.#checkingCount -= 1;
  }

  /** Throws RateLimitedError if a client or a user has connected too often. */
  async #count(client: string): Promise<void> {
    const { limiter } = this.#options.ctx;
    const { allowed, retryAfterMs } = await limiter.take('gateway_connect', client);
    if (!allowed) throw new RateLimitedError(retryAfterMs);
  }

  #streamsOf(holder: TokenHolder | undefined): readonly StreamName[] {
    const { lobby } = this.#options.ctx.settings;
    const mayRead = lobby === 'open' || (lobby === 'accounts' && holder !== undefined);
    return [
      ...(mayRead ? [LOBBY_STREAM] : []),
      ...(holder === undefined ? [] : [userStream(holder.userId)]),
    ];
  }

  async #enter(entrant: Entrant): Promise<void> {
    const { streams, arrivals, accounts } = this.#options;
    const { holder, own, credentials } = entrant;
    const isAhead = entrant.streams.some((stream) => {
      const at = credentials.resume?.get(stream);
      return at !== undefined && streams.isBefore(stream, at);
    });
    if (isAhead) await arrivals.wait();
    if (this.#open(entrant)) return;
    if (holder === undefined || own === undefined) throw new ServerError(OPENING);
    for (let reads = 0; reads < MOST_READS; reads += 1) {
      // The place is taken first, so what is read is at least as new.
      const at = streams.headOf(own);
      const state = await accounts.describe(holder, entrant.socket.data.client);
      if (this.#open(entrant, { ...state, at })) return;
    }
    throw new ServerError(OPENING);
  }

  /** Answers a client, and lets it follow its streams. False if the state of its user has to be read first. */
  #open(entrant: Entrant, read?: ReadState): boolean {
    const { streams } = this.#options;
    const { socket, profile, credentials, holder, own } = entrant;
    if (socket.data.status.state !== 'open') return true;
    const { resume } = credentials;
    const recovered: StreamName[] = [];
    const places = new Map<StreamName, StreamPosition>();
    for (const stream of entrant.streams) {
      const asked = resume?.get(stream);
      if (asked !== undefined && streams.hasAllAfter(stream, asked)) {
        recovered.push(stream);
        places.set(stream, asked);
      } else if (stream !== own) places.set(stream, streams.headOf(stream));
      else if (read !== undefined && streams.hasAllAfter(stream, read.at)) {
        places.set(stream, read.at);
      } else return false;
    }
    socket.send(answerTo({ resume, recovered, places, own, read }));
    profile.stage = 'in';
    if (holder !== undefined) {
      profile.session = holder.sessionId;
      this.#options.sessions.add(holder.sessionId, socket);
    }
    const access: Access = { user: holder?.userId, roles: [] };
    for (const [stream, from] of places) {
      streams.hub.open(socket, { stream, access, from, isListed: true });
    }
    if (credentials.asksOnline) profile.online = true;
    if (credentials.asksPauses) profile.pauses = true;
    this.#options.onEnter(socket);
    return true;
  }

  #refuse(socket: ConnectionSocket, error: unknown): void {
    const { ctx, connections, sessions } = this.#options;
    const reason = reasonOf(error);
    const session: Id | undefined =
      'session' in socket.data.profile ? socket.data.profile.session : undefined;
    if (reason === 'server_error') ctx.failures.report(error, OPENING);
    // It was let in, and only the second look failed.
    if (reason === 'server_error' && session !== undefined) return sessions.doubt(session);
    if (error instanceof RateLimitedError) {
      socket.data.retryAt = ctx.clock.monotonicMs() + Number(error.data?.['retry_after']);
    }
    connections.close(socket, reason);
  }
}

function answerTo({
  resume,
  recovered,
  places: streams,
  own,
  read,
}: Pick<Entrant, 'own'> &
  Pick<Credentials, 'resume'> & {
    readonly recovered: readonly StreamName[];
    readonly places: ReadonlyMap<StreamName, StreamPosition>;
    readonly read: ReadState | undefined;
  }): string {
  const isResumed = own === undefined || recovered.includes(own);
  if (resume !== undefined && isResumed) {
    const lost = Array.from(resume.keys()).filter((stream) => !recovered.includes(stream));
    return resumedText({ recovered, lost, streams });
  }
  const state = read && { user: read.user, session: read.session };
  return readyText({ ...state, ...(resume && { recovered: [...recovered] }), streams });
}

function reasonOf(error: unknown): DisconnectReason {
  if (error instanceof UnauthorizedError) return 'unauthorized';
  return error instanceof RateLimitedError ? 'rate_limited' : 'server_error';
}
