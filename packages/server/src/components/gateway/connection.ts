import type { CloseReason } from '@hearth/protocol';
import type { Socket } from '../../runtime/socket-server.ts';
import { NO_SLOT } from './timing-wheel.ts';

/** Where a connection stands. */
export type ConnectionState =
  | { readonly state: 'open' }
  /** Waits until the peer has taken what is buffered, then is closed with the reason. */
  | { readonly state: 'closing'; readonly reason: CloseReason }
  /** Was let in only to be told why not. */
  | { readonly state: 'refused'; readonly reason: CloseReason }
  /** Was sent a close frame; its descriptor is held until the peer answers or the runtime gives up. */
  | { readonly state: 'closed' };

/** One client's connection, as the gateway knows it. Times are monotonic milliseconds. */
export interface Connection {
  readonly client: string;
  status: ConnectionState;
  lastPingAt: number;
  windowStartedAt: number;
  payloadCount: number;
  controlFrameCount: number;
  /** Where it is in the timing wheel. */
  wheelSlot: number;
}

/** The connection's socket. */
export type ConnectionSocket = Socket<Connection>;

const OPEN: ConnectionState = { state: 'open' };

/** A connection that begins now, or one that is to be refused. */
export function newConnection(client: string, now: number, refusal?: CloseReason): Connection {
  return {
    client,
    status: refusal === undefined ? OPEN : { state: 'refused', reason: refusal },
    lastPingAt: now,
    windowStartedAt: now,
    payloadCount: 0,
    controlFrameCount: 0,
    wheelSlot: NO_SLOT,
  };
}
