import type {
  Capabilities,
  DisconnectReason,
  FileData,
  Id,
  InstanceInfo,
  LobbyMessage,
  Message,
  OwnUser,
  Pauses,
  RateLimitOf,
  Reaction,
  Term,
  UserSummary,
} from '@hearth/protocol';
import type { AccessCodeOption } from './access-code.ts';
import type { SdkClock } from './clock.ts';
import type { CommunityEvents } from './communities/events.ts';
import type { PostEvents } from './posts/events.ts';
import type { ReactionChange } from './reaction-change.ts';
import type { TokenStorage } from './tokens.ts';
import type { UploadTransport } from './uploads/transport.ts';
import type { WebSocketConstructor } from './gateway/web-socket.ts';
import type { Addresses } from './urls.ts';

/** The addresses at which a client reaches its instance, and the times that it waits. Everything has a default. */
export interface ClientOptions {
  /** The author of messages that name none. */
  readonly author?: string | undefined;
  /** The address of the instance's web client, for links to messages. Default: what was given to `connect`, or what the instance names. */
  readonly webUrl?: string | undefined;
  /** Default: the runtime's own. */
  readonly fetch?: ((input: string, init?: RequestInit) => Promise<Response>) | undefined;
  /** Default: the runtime's own. Required if the runtime has none (Node 20). */
  readonly WebSocket?: WebSocketConstructor | undefined;
  /** Default: XMLHttpRequest if there is one, else a streamed body through `fetch`. */
  readonly upload?: UploadTransport | undefined;
  /** Default: the system's time. */
  readonly clock?: SdkClock | undefined;
  /** Random numbers from 0 to below 1, which spread reconnections and repetitions over time. Default: Math.random. */
  readonly random?: (() => number) | undefined;
  /** Ends `connect()`, and later the client. */
  readonly signal?: AbortSignal | undefined;
  /** The instance's description, if it is already known (an embedded page): then no request is made for it. */
  readonly info?: InstanceInfo | undefined;
  /**
   * Addresses of the services to use in place of those in the description, such as a page's own origin. What is put into
   * messages stays the description's.
   */
  readonly addresses?: Partial<Addresses> | undefined;
  /** Further addresses of the file service, as earlier messages may have them. */
  readonly fileAddresses?: readonly string[] | undefined;
  /** The capabilities of the instance, if they are already known: then it is not asked. */
  readonly capabilities?: Capabilities | undefined;
  /**
   * The storage of the token of the person who is signed in. It is sent with every request to the REST and the file
   * service of the instance, but not to an http address if the instance was found at an https address. Default: in
   * memory.
   */
  readonly tokens?: TokenStorage | undefined;
  /**
   * The instance's access code, if it needs one, or a function that returns it, which is called before each request and
   * each connection. It is sent to the REST service, with uploads, and to the gateway, but only if the instance asks for
   * it: `capabilities.access_code` is true, or a request without it was refused.
   */
  readonly accessCode?: AccessCodeOption | undefined;
  /**
   * The time in milliseconds that an answer may take; for uploads and downloads, the time that they may be silent.
   * Default: 30,000.
   */
  readonly requestTimeoutMs?: number | undefined;
  /**
   * The time in milliseconds that a request waits for its limit before it fails with a RateLimitedError. Default:
   * without end.
   */
  readonly longestLimitWaitMs?: number | undefined;
  /**
   * The time in milliseconds for which a request is repeated while its place is busy, before it fails with a
   * RateLimitedError whose code is `busy`; 0 for not at all. Default: 30,000.
   */
  readonly longestBusyWaitMs?: number | undefined;
  /** The number of requests that may wait for each limit; one more fails with a QueueFullError. Default: 100. */
  readonly mostWaiting?: number | undefined;
}

/** The options of every request. */
export interface RequestOptions {
  /** Cancels the request, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The options of a request that sends a message. */
export interface SendOptions extends RequestOptions {
  /** As in ClientOptions, for this message. */
  readonly longestBusyWaitMs?: number | undefined;
}

export interface MessagesOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
  /** The number of messages by which the reader may fall behind; 10,000 by default. */
  readonly mostBuffered?: number | undefined;
}

/** A message to post. `nonce` comes back with it if the instance is Hearth; other instances do not get it. */
export interface OutgoingMessage {
  readonly author: string;
  readonly content: string;
  readonly nonce?: string | undefined;
}

/** A message to send; its author is the client's if it names none. */
export interface NewMessage {
  readonly content: string;
  readonly author?: string | undefined;
  readonly nonce?: string | undefined;
}

/** A message of the lobby as it came; other instances than Hearth leave out the optional fields. `created_at` in Unix milliseconds. */
export interface ReceivedMessage {
  readonly author: string;
  readonly content: string;
  readonly id?: Id;
  readonly created_at?: number;
  readonly nonce?: string;
  /** The files of the instance that the message names. */
  readonly attachments?: FileData[];
  /** The user who posted it, if that was somebody with an account. */
  readonly user?: UserSummary;
  /** When its text was changed last, in Unix milliseconds. */
  readonly edited_at?: number;
  /** Grows with each change of its text or reactions; without one, it was never changed. */
  readonly version?: number;
  readonly reactions?: Reaction[];
  /** It was read from the history, to fill a gap. */
  readonly isRecovered?: true;
}

/**
 * A message of the lobby as a client delivers it. Only the fields of ReceivedMessage are enumerable: copies and JSON have
 * nothing else.
 */
export interface IncomingMessage extends ReceivedMessage {
  /** True if this client sent it, which somebody else of the same name did not. */
  readonly isOwn: boolean;
  /** Posts a message that quotes this one; like `Client.reply`. */
  reply(message: string | NewMessage, options?: SendOptions): Promise<Message>;
  /** Changes its text; like `RestClient.changeMessage`. Throws TypeError if it has no id. */
  edit(content: string, options?: RequestOptions): Promise<LobbyMessage>;
  /** Deletes it; like `RestClient.deleteMessage`. Throws TypeError if it has no id. */
  delete(options?: RequestOptions): Promise<LobbyMessage>;
  /** Reacts to it; like `RestClient.addReaction`. Throws TypeError if it has no id. */
  react(emoji: string, options?: RequestOptions): Promise<Reaction>;
  /** Takes back a reaction; like `RestClient.removeReaction`. Throws TypeError if it has no id. */
  unreact(emoji: string, options?: RequestOptions): Promise<Reaction>;
}

/** Messages may be permanently missing: the connection was away between these times (our clock, Unix milliseconds). */
export interface Gap {
  readonly fromMs: number;
  readonly untilMs: number;
  /** The last message before the gap, if one is known. */
  readonly afterId: Id | undefined;
}

/** The events of a client; those about communities need a client that has them. */
export interface ClientEvents extends CommunityEvents, PostEvents {
  message: IncomingMessage;
  /** A message that came earlier has changed. */
  messageUpdate: IncomingMessage;
  /** A message was removed and must no longer be shown. */
  messageDelete: { readonly id: Id };
  /** Somebody reacted to a message, or took a reaction back; `withReaction` applies it to the message. */
  reaction: ReactionChange;
  connection: ConnectionState;
  /** The number of connections that the instance has; undefined if it is no longer known. */
  online: { readonly count: number | undefined };
  /** The activities that the owner has paused for everyone; undefined if they are no longer known. */
  pauses: { readonly pauses: Pauses | undefined };
  gap: Gap;
  /**
   * The instance no longer accepts the token, which the client has forgotten: with the code `token_ended`, its session has
   * ended.
   */
  tokenRefused: { readonly code: string | undefined };
  /** The person who is signed in has changed, on any device; also after connecting. Reported only on gateway profile 2. */
  userUpdate: OwnUser;
  /** A session of the person who is signed in has ended. Reported only on gateway profile 2. */
  sessionEnd: { readonly id: Id };
  limit: { readonly bucket: BucketName; readonly state: LimitState };
}

/** The state of the connection to the gateway. */
export type ConnectionState =
  | { readonly state: 'idle' }
  /** `attempt` 0 is the first. */
  | { readonly state: 'connecting'; readonly attempt: number }
  /** `isCurrent` is false while a gap is being filled. */
  | { readonly state: 'open'; readonly profile: 0 | 1 | 2; readonly isCurrent: boolean }
  | {
      readonly state: 'waiting';
      readonly attempt: number;
      /** Our clock, Unix milliseconds. */
      readonly retryAtMs: number;
      readonly reason: DisconnectReason | 'network';
    }
  /** `reason` says why the instance does not want this client, such as `banned`. */
  | {
      readonly state: 'closed';
      readonly reason?: DisconnectReason | 'network';
      /** The ban that the instance has reported. */
      readonly ban?: Term;
    };

/** The limits that apply to requests. */
export type BucketName = RateLimitOf<'rest' | 'files'>;

/** The known state of a limit. Times are Unix milliseconds of our clock. */
export interface LimitState {
  /** Requests in a time frame; undefined until an answer shows it. */
  readonly limit: number | undefined;
  readonly used: number;
  /** When the running time frame ends; 0 if none is known. */
  readonly resetsAtMs: number;
  /** When the next request may go out; now or earlier means at once. */
  readonly freeAtMs: number;
  readonly waiting: number;
  /** The number of requests that are repeated because their place is busy. */
  readonly repeating: number;
  readonly byteLimit: number | undefined;
  readonly sentBytes: number;
}

/** A file's content on its way; `body` can be read only once. */
export interface DownloadedFile {
  /** Undefined if the instance did not send it, or the browser does not allow it to be read. */
  readonly name: string | undefined;
  readonly contentType: string;
  /** The size of this body; undefined if the instance did not send it. */
  readonly sizeBytes: number | undefined;
  /** True if the body is the requested range and not the whole file. */
  readonly isPartial: boolean;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Reads the whole body. */
  blob(): Promise<Blob>;
}
