import {
  ACCOUNT_PROFILE,
  AUTHENTICATE_WITHIN_MS,
  HEARTBEAT_TIMEOUT_MS,
  type DisconnectReason,
} from '@hearth/protocol';
import type { Socket } from '../../runtime/socket-server.ts';
import type { Profile } from './profile.ts';
import { NO_SLOT } from './timing-wheel.ts';

export type ConnectionState =
  | { readonly state: 'open' }
  /** Waits until the peer has taken what is buffered, then is closed with the reason. */
  | { readonly state: 'closing'; readonly reason: DisconnectReason }
  /** Was admitted only to be sent the reason for the refusal. */
  | { readonly state: 'refused'; readonly reason: DisconnectReason }
  /** Was sent a close frame; its descriptor is held until the peer answers or the runtime gives up. */
  | { readonly state: 'closed' };

/** One client's connection, as the gateway sees it. Times are monotonic milliseconds. */
export interface Connection {
  readonly client: string;
  /** The access code that it gave. */
  readonly accessCode: string | undefined;
  readonly profile: Profile;
  status: ConnectionState;
  lastPingAt: number;
  windowStartedAt: number;
  payloadCount: number;
  controlFrameCount: number;
  /** Its slot in the timing wheel. */
  wheelSlot: number;
  /** Bytes that waited for it at the last check. */
  waitingBytes: number;
  /** When it may try again, if the limit says so. */
  retryAt: number;
}

export type ConnectionSocket = Socket<Connection>;

const OPEN: ConnectionState = { state: 'open' };

/** Which client connects, and how. */
export type ConnectingClient = Pick<Connection, 'client' | 'accessCode' | 'profile'>;

/** A connection that begins now, or one that is to be refused. */
export function newConnection(
  { client, accessCode, profile }: ConnectingClient,
  now: number,
  refusal?: { readonly reason: DisconnectReason; readonly retryAfterMs: number },
): Connection {
  return {
    client,
    accessCode,
    profile,
    status: refusal === undefined ? OPEN : { state: 'refused', reason: refusal.reason },
    lastPingAt: now,
    windowStartedAt: now,
    payloadCount: 0,
    controlFrameCount: 0,
    wheelSlot: NO_SLOT,
    waitingBytes: 0,
    retryAt: now + (refusal?.retryAfterMs ?? 0),
  };
}

/** When a connection is dead unless a PING comes, or AUTHENTICATE from a client that has to send that first. */
export function deadlineOf({
  profile,
  lastPingAt,
}: Pick<Connection, 'profile' | 'lastPingAt'>): number {
  const isNew = profile.version === ACCOUNT_PROFILE && profile.stage === 'new';
  return lastPingAt + (isNew ? AUTHENTICATE_WITHIN_MS : HEARTBEAT_TIMEOUT_MS);
}
