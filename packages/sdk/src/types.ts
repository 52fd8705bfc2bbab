import type {
  Capabilities,
  DisconnectReason,
  Id,
  InstanceInfo,
  RateLimitOf,
} from '@hearth/protocol';
import type { SdkClock } from './clock.ts';
import type { UploadTransport } from './uploads/transport.ts';
import type { WebSocketConstructor } from './gateway/web-socket.ts';

/** How a client reaches its instance, and how patient it is. Everything has a default. */
export interface ClientOptions {
  /** Default: the runtime's own. */
  readonly fetch?: ((input: string, init?: RequestInit) => Promise<Response>) | undefined;
  /** Default: the runtime's own; where there is none (Node 20) one has to be given. */
  readonly WebSocket?: WebSocketConstructor | undefined;
  /** Default: XMLHttpRequest where there is one, else a streamed body through `fetch`. */
  readonly upload?: UploadTransport | undefined;
  /** Default: the system's time. */
  readonly clock?: SdkClock | undefined;
  /** Numbers from 0 to below 1, for the moments of reconnecting. Default: Math.random. */
  readonly random?: (() => number) | undefined;
  /** Ends `connect()`, and the client's whole life. */
  readonly signal?: AbortSignal | undefined;
  /** What is known of the instance already (an embedded page): no request is made for it. */
  readonly info?: InstanceInfo | undefined;
  /** What the instance can do, if that is known already; then it is not asked. */
  readonly capabilities?: Capabilities | undefined;
  /**
   * Returns the user's token. It is called before every request to the REST and the file service, and the token is sent
   * with the request. If the instance refuses the token, the hook is called once more with it as `refused`; if it returns
   * another one, the request is sent once more.
   */
  readonly token?: TokenHook | undefined;
  /** How long an answer may take, in milliseconds, 30,000 by default; of uploads and downloads how long they may be silent. */
  readonly requestTimeoutMs?: number | undefined;
  /** How long a request waits for its limit before it fails with a RateLimitedError, in milliseconds. Default: for ever. */
  readonly longestLimitWaitMs?: number | undefined;
  /** How many requests may wait for each limit; one more fails with a QueueFullError. Default: 100. */
  readonly mostWaiting?: number | undefined;
}

/** Returns the token to send, or undefined to send none; `refused` is a token that the instance has just refused. */
export type TokenHook = (refused?: string) => string | undefined | Promise<string | undefined>;

/** What every request takes. */
export interface RequestOptions {
  /** Cancels the request, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A message to be posted; `nonce` comes back with it where the instance is Hearth, and is not sent elsewhere. */
export interface OutgoingMessage {
  readonly author: string;
  readonly content: string;
  readonly nonce?: string | undefined;
}

/** A message of the lobby as it came; what only Hearth tells is absent elsewhere. `created_at` in Unix milliseconds. */
export interface ReceivedMessage {
  readonly author: string;
  readonly content: string;
  readonly id?: Id;
  readonly created_at?: number;
  readonly nonce?: string;
  /** It was read from the history to fill a gap. */
  readonly isRecovered?: true;
}

/** Messages may be missing that nothing could bring back: the connection was away between the times (own clock, Unix ms). */
export interface Gap {
  readonly fromMs: number;
  readonly untilMs: number;
  /** The last message before the gap, as far as one is known. */
  readonly afterId: Id | undefined;
}

/** The events of a client. */
export interface ClientEvents {
  message: ReceivedMessage;
  /** A message that came before has changed. */
  messageUpdate: ReceivedMessage;
  /** A message was removed, and must not be shown any more. */
  messageDelete: { readonly id: Id };
  connection: ConnectionState;
  gap: Gap;
  limit: { readonly bucket: BucketName; readonly state: LimitState };
}

/** How the connection to the gateway is. */
export type ConnectionState =
  | { readonly state: 'idle' }
  /** `attempt` 0 is the first. */
  | { readonly state: 'connecting'; readonly attempt: number }
  /** `isCurrent` is false while a gap is being filled. */
  | { readonly state: 'open'; readonly profile: 0 | 1; readonly isCurrent: boolean }
  | {
      readonly state: 'waiting';
      readonly attempt: number;
      /** Own clock, Unix milliseconds. */
      readonly retryAtMs: number;
      readonly reason: DisconnectReason | 'network';
    }
  | { readonly state: 'closed' };

/** The limits that requests are counted in. */
export type BucketName = RateLimitOf<'rest' | 'files'>;

/** What is known of a limit. Times are Unix milliseconds of the own clock. */
export interface LimitState {
  /** Requests in a time frame; undefined until an answer told. */
  readonly limit: number | undefined;
  readonly used: number;
  /** When the running time frame ends; 0 where none is known. */
  readonly resetsAtMs: number;
  /** When the next request may go out; now or earlier means at once. */
  readonly freeAtMs: number;
  readonly waiting: number;
  readonly byteLimit: number | undefined;
  readonly sentBytes: number;
}

/** A file's content on its way; `body` is read once, by whoever takes it. */
export interface DownloadedFile {
  /** Undefined where the instance told none, or the browser does not let it be read. */
  readonly name: string | undefined;
  readonly contentType: string;
  /** Of this body; undefined where the instance did not tell. */
  readonly sizeBytes: number | undefined;
  /** Whether the body is the range that was asked for, and not the whole. */
  readonly isPartial: boolean;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Reads the whole body. */
  blob(): Promise<Blob>;
}
