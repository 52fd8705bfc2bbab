import type { CloseReason } from '@hearth/protocol';
import type { Socket } from '../../runtime/socket-server.ts';

/** Where a connection stands. */
export type ConnectionState =
  | { readonly state: 'open' }
  /** Waits until the peer has taken what is buffered, then is closed with the reason. */
  | { readonly state: 'closing'; readonly reason: CloseReason }
  /** Was let in only to be told why not. */
  | { readonly state: 'refused'; readonly reason: CloseReason };

/** One client's connection, as the gateway knows it. Times are monotonic milliseconds. */
export interface Connection {
  readonly client: string;
  status: ConnectionState;
  lastPingAt: number;
  payloadWindowStartedAt: number;
  payloadCount: number;
  /** Slot of the wheel that the connection is in; -1 for none. */
  wheelSlot: number;
}

/** The connection's socket. */
export type ConnectionSocket = Socket<Connection>;
