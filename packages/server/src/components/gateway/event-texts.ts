import {
  DISCONNECT_REASONS,
  HEARTBEAT_INTERVAL_MS,
  NEWEST_PROFILE,
  type DisconnectReason,
  type ProfileEvent,
  type ServerEvent,
} from '@hearth/protocol';
import type { Delivery, StreamPosition } from '../../ports/bus/bus.ts';

/** The answer to PING, of every profile (Events: PONG). */
export const PONG = encode({ op: 'PONG' });

/** An event as the documented gateway tells it (Events). */
export function documentedText({ op, d: { author, content } }: Delivery['event']): string {
  return encode({ op, d: { author, content } });
}

/** An event as gateways of profile 1 tell it. */
export function profileText({ event: { op, d }, position }: Delivery): string {
  return encode({ op, s: position, d });
}

/** The first payload of profile 1. */
export function helloText({ epoch, position }: StreamPosition, recovered: boolean | null): string {
  return encode({
    op: 'HELLO',
    d: {
      v: NEWEST_PROFILE,
      heartbeat_interval: HEARTBEAT_INTERVAL_MS,
      epoch,
      s: position,
      recovered,
    },
  });
}

/** The last payload of profile 1. */
export function disconnectText(reason: DisconnectReason, retryAfterMs: number): string {
  const { reconnect } = DISCONNECT_REASONS[reason];
  return encode({ op: 'DISCONNECT', d: { reason, reconnect, retry_after: retryAfterMs } });
}

function encode(event: ServerEvent | ProfileEvent): string {
  return JSON.stringify(event);
}
