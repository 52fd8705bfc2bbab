import {
  LOBBY_STREAM,
  lobbySightOf,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
  userStream,
  type DisconnectReason,
  type Id,
} from '@hearth/protocol';
import type { TokenHolder } from '../../authentication.ts';
import type { Context } from '../../context.ts';
import { requireScope } from '../../http/authenticate.ts';
import type {
  StreamAccess,
  GatewayAccounts,
  ReadyState,
  UserReads,
  UserStanding,
  UserStreams,
} from '../../gateway-host.ts';
import type { StreamName, StreamPosition } from '../../ports/bus/bus.ts';
import type { Arrivals } from './arrivals.ts';
import type { ConnectionSocket } from './connection.ts';
import type { Connections } from './connections.ts';
import { readCredentials, type Credentials } from './credentials.ts';
import { readyText, resumedText } from './event-texts.ts';
import type { AccountProfile } from './profile.ts';
import type { SessionSockets } from './session-sockets.ts';
import { allStreams, placesFor, type Places } from './stream-places.ts';
import type { Streams } from './streams.ts';

/**
 * The number of clients that may be connected without having sent AUTHENTICATE. For one more, the first of them is
 * closed.
 */
const MOST_NEW = 4_096;

/** The number of AUTHENTICATE that may be in work. */
const MOST_CHECKING = 4_096;

/**
 * The number of times that the state of a user is read if the events since are no longer kept when it has been read.
 */
const MOST_READS = 3;

const OPENING = 'Opening the connection';

export interface AuthenticatorOptions {
  readonly ctx: Context;
  readonly accounts: GatewayAccounts;
  readonly connections: Pick<Connections, 'close'>;
  readonly streams: Pick<Streams, 'headOf' | 'hasAllAfter' | 'isBefore' | 'hub'>;
  readonly sessions: Pick<SessionSockets, 'add' | 'delete' | 'doubt'>;
  readonly arrivals: Pick<Arrivals, 'wait'>;
  readonly audiences: UserStreams;
  readonly reads: UserReads;
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
  /** The streams that everyone follows, and that of its user. */
  readonly streams: readonly StreamName[];
}

/** The state of a user, at least as new as the user's stream was at this place. */
interface ReadState extends ReadyState {
  readonly at: StreamPosition;
}

/** The standing of guests. */
const NO_STANDING: UserStanding = { seats: [], reading: undefined };

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
    if (!('session' in profile) || profile.session === undefined) return;
    this.#options.sessions.delete(profile.session, socket);
    if (profile.user !== undefined) this.#options.audiences.unseat(socket, profile.user);
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
      if (holder !== undefined) requireScope(holder.credential, 'read');
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
    return [
      ...(lobbySightOf(lobby, holder !== undefined).follows ? [LOBBY_STREAM] : []),
      ...(holder === undefined ? [] : [userStream(holder.userId)]),
    ];
  }

  async #enter(entrant: Entrant): Promise<void> {
    const { accounts, streams, reads } = this.#options;
    const { holder, own, credentials } = entrant;
    if (credentials.resume !== undefined || holder === undefined) {
      const standing = await this.#currentStanding(entrant);
      if (this.#open(entrant, standing)) return;
    }
    if (holder === undefined || own === undefined) throw new ServerError(OPENING);
    for (let count = 0; count < MOST_READS; count += 1) {
      // The place is taken first, so what is read is at least as new.
      const at = streams.headOf(own);
      const state = await accounts.describe(holder, entrant.socket.data.client);
      // Last, because what was read may be used at once only.
      const { state: whole, ...standing } = await reads.wholeOf(holder.userId);
      if (this.#open(entrant, standing, { ...state, ...whole, at })) return;
    }
    throw new ServerError(OPENING);
  }

  /** Reads what a client that resumes is to follow, when everything has arrived that it has seen elsewhere. */
  async #currentStanding(entrant: Entrant): Promise<UserStanding> {
    const { streams, arrivals } = this.#options;
    const standing = await this.#standingOf(entrant);
    const isAhead = allStreams({ ...entrant, standing }).some((stream) => {
      const at = entrant.credentials.resume?.get(stream);
      return at !== undefined && streams.isBefore(stream, at);
    });
    if (!isAhead) return standing;
    await arrivals.wait();
    return await this.#standingOf(entrant);
  }

  #standingOf({ holder }: Entrant): UserStanding | Promise<UserStanding> {
    if (holder === undefined) return NO_STANDING;
    const { audiences, reads } = this.#options;
    return audiences.known(holder.userId) ?? reads.ofUser(holder.userId);
  }

  /** Answers a client, and lets it follow its streams. False if the state of its user has to be read first, or again. */
  #open(entrant: Entrant, standing: UserStanding, read?: ReadState): boolean {
    const { streams, sessions, onEnter } = this.#options;
    const { socket, profile, credentials, holder, own } = entrant;
    if (socket.data.status.state !== 'open') return true;
    const { resume } = credentials;
    const placed = placesFor(streams, {
      user: holder?.userId,
      own: own === undefined ? undefined : { stream: own, ...(read && { readAt: read.at }) },
      streams: entrant.streams,
      standing,
      resume,
    });
    if (placed === undefined) return false;
    socket.send(answerTo({ ...placed, resume, read }));
    profile.stage = 'in';
    if (holder !== undefined) {
      [profile.user, profile.session] = [holder.userId, holder.credential.id];
      sessions.add(holder.credential.id, socket);
    }
    this.#follow(entrant, standing, placed);
    if (credentials.asksOnline) profile.online = true;
    if (credentials.asksPauses) profile.pauses = true;
    onEnter(socket);
    return true;
  }

  #follow({ socket, holder, streams }: Entrant, standing: UserStanding, { places }: Places): void {
    const {
      audiences,
      streams: { hub },
    } = this.#options;
    const access: StreamAccess = { user: holder?.userId, roles: [] };
    for (const stream of streams) {
      hub.open(socket, { stream, access, from: places.get(stream), isListed: true });
    }
    if (holder === undefined) return;
    const taken = audiences.seat(socket, holder.userId, standing);
    for (const seat of standing.seats) {
      for (const stream of seat.streams) {
        const why = taken.get(seat.home) ?? access;
        hub.open(socket, { stream, access: why, from: places.get(stream), isListed: true });
      }
    }
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
  read,
}: Pick<Credentials, 'resume'> & Places & { readonly read: ReadState | undefined }): string {
  if (resume !== undefined && read === undefined) {
    const lost = Array.from(resume.keys()).filter((stream) => !recovered.includes(stream));
    return resumedText({ recovered, lost, streams });
  }
  const { at: _at, ...state } = read ?? { at: undefined };
  return readyText({ ...state, ...(resume && { recovered: [...recovered] }), streams });
}

function reasonOf(error: unknown): DisconnectReason {
  if (error instanceof UnauthorizedError) return 'unauthorized';
  return error instanceof RateLimitedError ? 'rate_limited' : 'server_error';
}
