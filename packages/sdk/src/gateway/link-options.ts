import type { Authenticate, Pauses } from '@hearth/protocol';
import type {
  ReceivedAccountEvent,
  ReceivedEvent,
  ReceivedProfileEvent,
} from '@hearth/protocol/received';
import type { SdkClock } from '../clock.ts';
import type { Opening } from './opening.ts';
import type { Parting } from './parting.ts';
import type { WebSocketConstructor } from './web-socket.ts';

/**
 * An event as it came: on profile 1 with its position, on profile 2 with its stream too. An event of an unknown kind is
 * passed on for its position, and for those who can read it.
 */
export type GatewayEvent =
  | Extract<ReceivedAccountEvent, { readonly t: string }>
  | Extract<ReceivedAccountEvent, { op: `STREAM_${string}` }>
  | Extract<ReceivedProfileEvent, { op: `MESSAGE_${string}` | `REACTION_${string}` }>
  | Extract<ReceivedEvent, { op: 'MESSAGE_CREATE' }>
  | UnknownEvent;

/** An event that is not read here. What is only watched has neither a position nor a stream. */
export interface UnknownEvent {
  readonly op: 'unknown';
  readonly s?: number | undefined;
  readonly t?: string | undefined;
  /** All of it, as it came. */
  readonly raw: unknown;
}

/** An event that cannot be parsed, with its position and its stream as far as it has them. */
export interface BrokenEvent {
  readonly s?: number | undefined;
  readonly t?: string | undefined;
}

/** The listener of a link. Nothing comes after `ended`. */
export interface LinkListener {
  /** The gateway accepted the connection. */
  opened(opening: Opening): void;
  event(event: GatewayEvent): void;
  broken(event: BrokenEvent): void;
  /** The number of connections that the instance has. */
  online(count: number): void;
  /** Reports what the owner has paused. */
  pauses(pauses: Pauses): void;
  /** The last payload of the client was ignored. */
  limited(retryAfterMs: number): void;
  ended(parting: Parting): void;
}

export interface LinkOptions {
  readonly url: string;
  /** The subprotocols to offer; none if there is no access code. */
  readonly protocols: readonly string[];
  /** True if `url` asks for a profile. */
  readonly asksProfile: boolean;
  /** The data to send to a gateway of profile 2; undefined if `url` does not ask for that. */
  readonly authenticate: Authenticate['d'];
  readonly WebSocket: WebSocketConstructor;
  readonly clock: SdkClock;
  /**
   * The time that the gateway may take to accept the connection, and to answer a PING if that is shorter than usual.
   */
  readonly timeoutMs: number;
  readonly listener: LinkListener;
}
