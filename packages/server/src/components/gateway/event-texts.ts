import {
  ACCOUNT_PROFILE,
  AUTHENTICATE_WITHIN_MS,
  DISCONNECT_REASONS,
  HEARTBEAT_INTERVAL_MS,
  LOBBY_PROFILE,
  MOST_PAYLOAD_BYTES,
  type AccountEvent,
  type DisconnectReason,
  type ProfileEvent,
  type RateLimit,
  type ServerEvent,
  type StreamEvent,
  type StreamNotice,
  type Term,
} from '@hearth/protocol';
import type { BusEvent, EventDelivery, StreamName, StreamPosition } from '../../ports/bus/bus.ts';

/** Places in streams. */
type Places = ReadonlyMap<StreamName, StreamPosition>;

/** The data of READY. */
export interface Ready extends Omit<Extract<AccountEvent, { op: 'READY' }>['d'], 'streams'> {
  readonly streams: Places;
}

/** The answer to PING, of every profile (Events: PONG). */
export const PONG = encode({ op: 'PONG' });

/** An event of the lobby as the documented gateway sends it, or undefined if it has no such event (Events). */
export function documentedText(event: BusEvent): string | undefined {
  if (!isOf(event, 'MESSAGE_CREATE')) return undefined;
  const { author, content } = event.d;
  return encode({ op: event.op, d: { author, content } });
}

/** An event of the lobby as gateways of profile 1 send it. */
export function profileText({ event: { op, d }, position }: EventDelivery): string {
  return JSON.stringify({ op, s: position, d });
}

/** An event of any stream as gateways of profile 2 send it. */
export function streamText({ stream, event: { op, d }, position }: EventDelivery): string {
  return JSON.stringify({ op, t: stream, s: position, d });
}

/** Makes the text of profile 2 from that of profile 1. */
export function streamTextOf(stream: StreamName, text: string): string {
  // An op has no quotation marks and no commas.
  const end = text.indexOf(',');
  return `${text.slice(0, end)},"t":${JSON.stringify(stream)}${text.slice(end)}`;
}

/** The events of a stream follow from this point on. Profile 2. */
export function streamOpenText(stream: StreamName, { epoch, position }: StreamPosition): string {
  return encode({ op: 'STREAM_OPEN', d: { stream, epoch, s: position } });
}

/** No more events of a stream follow. Profile 2. */
export function streamCloseText(stream: StreamName): string {
  return encode({ op: 'STREAM_CLOSE', d: { stream } });
}

/** The first payload of profile 1. */
export function helloText({ epoch, position }: StreamPosition, recovered: boolean | null): string {
  return encode({
    op: 'HELLO',
    d: {
      v: LOBBY_PROFILE,
      heartbeat_interval: HEARTBEAT_INTERVAL_MS,
      epoch,
      s: position,
      recovered,
    },
  });
}

/** The first payload of profile 2. */
export function accountHelloText(gatewayEvents: RateLimit): string {
  return encode({
    op: 'HELLO',
    d: {
      v: ACCOUNT_PROFILE,
      heartbeat_interval: HEARTBEAT_INTERVAL_MS,
      authenticate_within: AUTHENTICATE_WITHIN_MS,
      limits: { gateway_events: gatewayEvents, payload_bytes: MOST_PAYLOAD_BYTES },
    },
  });
}

/** The answer to AUTHENTICATE of a client that does not continue. Profile 2. */
export function readyText({ streams, ...state }: Ready): string {
  return encode({ op: 'READY', d: { ...state, streams: placesIn(streams) } });
}

/** The answer to AUTHENTICATE of a client that continues. Profile 2. */
export function resumedText({
  recovered,
  lost,
  streams,
}: {
  readonly recovered: readonly StreamName[];
  readonly lost: readonly StreamName[];
  readonly streams: Places;
}): string {
  const d = { recovered: [...recovered], lost: [...lost], streams: placesIn(streams) };
  return encode({ op: 'RESUMED', d });
}

/** The last payload was ignored. Profile 2. */
export function rateLimitedText(retryAfterMs: number): string {
  return encode({ op: 'RATE_LIMITED', d: { retry_after: Math.max(1, Math.ceil(retryAfterMs)) } });
}

/** The last payload of profiles 1 and 2. */
export function disconnectText(
  reason: DisconnectReason,
  { retryAfterMs, ban }: { readonly retryAfterMs: number; readonly ban: Term | undefined },
): string {
  const { reconnect } = DISCONNECT_REASONS[reason];
  const d = { reason, reconnect, retry_after: retryAfterMs, ...(ban !== undefined && { ban }) };
  return encode({ op: 'DISCONNECT', d });
}

function placesIn(streams: Places): Record<StreamName, [epoch: string, position: number]> {
  const places = Array.from(streams, ([name, { epoch, position }]) => [name, [epoch, position]]);
  // Guarantee: each entry was made above.
  return Object.fromEntries(places) as Record<StreamName, [epoch: string, position: number]>;
}

function encode(event: ServerEvent | ProfileEvent | AccountEvent | StreamNotice): string {
  return JSON.stringify(event);
}

// Guarantee: only verbs publish, and they publish events of the protocol.
function isOf<Op extends StreamEvent['op']>(
  event: BusEvent,
  op: Op,
): event is Extract<StreamEvent, { op: Op }> {
  return event.op === op;
}
