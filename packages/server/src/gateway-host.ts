import type { AccountEvent, DisconnectReason, Id } from '@hearth/protocol';
import type { Watch } from '@hearth/protocol/schemas';
import type { z } from 'zod';
import type { Account, Guest } from './actor.ts';
import type { Authentication, TokenHolder } from './authentication.ts';
import type {
  BusEvent,
  EndPublication,
  EventDelivery,
  StreamName,
  StreamPosition,
} from './ports/bus/bus.ts';
import type { Term } from './restrictions.ts';

/** A client that is connected to the gateway of this process, as features see it. */
export interface ConnectedClient {
  readonly data: {
    readonly status: { readonly state: string };
    readonly profile: {
      readonly version: number;
      /** Present if it asks for the number of connections. */
      readonly online?: true;
      /** Present if it asks for what is paused. */
      readonly pauses?: true;
    };
  };
  send(text: string): unknown;
  subscribe(topic: string): unknown;
  unsubscribe(topic: string): unknown;
  /** Bytes that it has not yet taken. */
  getBufferedAmount(): number;
}

/** The reasons for which a client may follow a stream: it loses the stream if any of them no longer holds. */
export interface StreamAccess {
  /** Undefined for guests. */
  readonly user: Id | undefined;
  /** In the community of the stream, as far as this process knows. */
  readonly roles: readonly Id[];
}

/** A stream that a client is to follow. */
export interface Opening {
  readonly stream: StreamName;
  readonly access: StreamAccess;
  /** The place after which the stream is to be continued. */
  readonly from?: StreamPosition | undefined;
  /** True if the client was already sent the place at which the stream opens: the one in `from`, if it can be continued. */
  readonly isListed?: boolean;
}

/** Lets clients follow streams. */
export interface Followers {
  /** Lets a client follow a stream, if it may follow any. Returns whether the stream is continued after `from`. */
  open(client: ConnectedClient, opening: Opening): boolean;

  /** Decides on a client that is held at the end of an access; ends one that is not, and may not follow the stream. */
  decide(client: ConnectedClient, stream: StreamName, mayFollow: boolean): void;

  follows(client: ConnectedClient, stream: StreamName): boolean;

  /** Returns true if a client is sent nothing more of a stream until it is decided on. */
  isHeld(client: ConnectedClient, stream: StreamName): boolean;
}

/** Events and ends of accesses in all streams since a point, for those who read something meanwhile. To be disposed. */
export interface StreamsSince extends Disposable {
  /** The position of a stream at the point. */
  placeOf(stream: StreamName): StreamPosition;

  /** Returns true if the access of a user to one of these streams may have ended since. */
  mayHaveEnded(streams: readonly StreamName[], user: Id | undefined): boolean;
}

/** A gateway as features see it. Its clients are the only ones that it is given. */
export interface GatewayHost {
  readonly hub: Followers;
  /** Sends a text to the clients that have subscribed to a topic. */
  readonly servers: {
    publish(topic: string, text: string): void;
    hasSubscribers(topic: string): boolean;
  };
  /** Resolves when everything has arrived here that was published before, or when that cannot be awaited. */
  readonly arrivals: { wait(): Promise<void> };
  /** Notes what happens in all streams from now on. */
  readonly since: () => StreamsSince;
  /** Returns the number of connections of this process. */
  readonly openCount: () => number;
}

/** A feature's part in a gateway, which calls it when something happens. */
export interface GatewayPart {
  /** Called with a client that was let in, and its user; guests have none. */
  enter?(client: ConnectedClient, user: Id | undefined): void;

  /** Called with a client that is to be sent nothing more. */
  leave?(client: ConnectedClient): void;

  /** Called with a client whose connection has ended, also after `leave`. */
  forget?(client: ConnectedClient): void;

  /** Handles an event that was handed on to those who follow its stream. */
  take?(delivery: EventDelivery): void;

  /** Handles the end of an access, after those who lose it were sent nothing more. */
  takeEnd?(ended: EndPublication): void;

  /** Called when the streams start again, so that ends of accesses may have been missed. */
  restart?(): void;

  /** Called about twice a second. */
  tick?(): void;

  /** Hears of no more changes. */
  stop?(): void;
}

/** The streams of one community, or of something else that has streams, that a user is to follow. */
export interface SeatPlan {
  /** The stream of the whole: a user who loses it loses all of them. */
  readonly home: StreamName;
  readonly roles: readonly Id[];
  /** The first one is that of the whole. */
  readonly streams: readonly StreamName[];
  /** True if a client that cannot continue the first one goes on without, and is not sent READY. */
  readonly mayBeLost?: true;
}

/** The streams that a user is to follow besides their own. */
export interface UserStanding {
  readonly seats: readonly SeatPlan[];
  /** When it was read; undefined if this process knew it. It may be used until the next turn of the event loop. */
  readonly reading: { readonly since: StreamsSince } | undefined;
}

/** Which streams the users of a gateway's clients follow besides their own. */
export interface UserStreams {
  /** Returns the streams that a user is to follow; undefined if this process does not know them for certain. */
  known(user: Id): UserStanding | undefined;

  /** Adds a client, which follows what its user is to follow. Returns why it may, by home. */
  seat(
    client: ConnectedClient,
    user: Id,
    standing: UserStanding,
  ): ReadonlyMap<StreamName, StreamAccess>;

  unseat(client: ConnectedClient, user: Id): void;
}

/** Reads which streams users are to follow: for many at once, however many ask at the same time. */
export interface UserReads {
  ofUser(user: Id): Promise<UserStanding>;

  /** Reads the streams, and the part of READY about them. */
  wholeOf(user: Id): Promise<WholeStanding>;
}

/** The streams that a user is to follow, and the part of READY about them. */
export interface WholeStanding extends UserStanding {
  readonly state: ReadyState;
}

/** The data of READY without the streams, which the gateway adds. */
export type ReadyState = Omit<Extract<AccountEvent, { op: 'READY' }>['d'], 'recovered' | 'streams'>;

/** A part of what READY says about who signs in, which is read for each client. */
export interface SignInPart<Ctx, Key extends keyof ReadyState = keyof ReadyState> {
  readonly key: Key;
  readonly schema: z.ZodType<NonNullable<ReadyState[Key]>>;
  /** Rejects with UnauthorizedError if the account or the session has ended. */
  readonly read: (ctx: Ctx, actor: Account) => Promise<NonNullable<ReadyState[Key]>>;
}

/** Checks the accounts and sessions of a gateway's clients. */
export interface GatewayAccounts extends Authentication {
  /** Reads the part of READY about who signs in from an address. Rejects with UnauthorizedError if the session has ended. */
  describe(holder: TokenHolder, address: string): Promise<ReadyState>;

  /** Returns the session that an event ends; undefined if it ends none. */
  endedBy(event: BusEvent): string | undefined;

  /** Calls `listener` with each session that may have ended, or with `all`, until the returned function is called. */
  onChange(listener: (session: string) => void): () => void;

  /** Returns the sessions among these that have not ended. */
  lasting(sessions: readonly Id[]): Promise<ReadonlySet<Id>>;
}

/** Why a client may not be connected. */
export type Refusal = Extract<DisconnectReason, 'banned' | 'access_code'>;

/** Decides which clients may be connected to a gateway, before they say who they are. */
export interface ConnectionRules {
  /**
   * Why a guest may not connect; undefined if it may. Rejects with RateLimitedError after too many wrong access codes, and with
   * ServerError if the answer cannot be known.
   */
  refusalOf(guest: Guest): Promise<Refusal | undefined>;

  /** Why a guest that is connected may not stay, as far as this process knows; undefined if it may. */
  expulsionOf(guest: Guest): Refusal | undefined;

  /** The ban of a guest that has not ended, as far as this process knows. */
  banOf(guest: Pick<Guest, 'address'>): Term | undefined;

  /** Calls `listener` when the answers may have changed, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

/** The features of a gateway, before they are started. */
export interface GatewayFeatures {
  readonly rules: ConnectionRules;
  /** Returns a function that decides who is in an audience, as the end of an access has it. */
  readonly audienceTest: (audience: object) => (access: StreamAccess) => boolean;
  /** Starts what features do at a gateway. */
  readonly start: (host: GatewayHost) => StartedFeatures;
}

export interface StartedFeatures {
  /** The parts, in the order in which they are called. */
  readonly parts: readonly GatewayPart[];
  readonly accounts: GatewayAccounts;
  readonly audiences: UserStreams;
  readonly reads: UserReads;
  readonly watching: {
    /** Handles WATCH of a client. */
    watch(client: ConnectedClient, user: Id | undefined, d: Watch['d']): void;
  };
}
