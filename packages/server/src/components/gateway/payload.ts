import type { ClientEvent, RateLimit } from '@hearth/protocol';
import { clientEventSchema } from '@hearth/protocol/schemas';
import type { Connection } from './connection.ts';

/** Largest payload of a client, in bytes. */
export const MAX_PAYLOAD_BYTES = 64 * 1024;

/** Libraries send pings on their own, so more of them are allowed than payloads. */
const CONTROL_FRAMES_PER_PAYLOAD = 10;

const MAX_BYTES_PER_UTF16_UNIT = 3;
const PLAIN_PING = '{"op":"PING"}';

/**
 * Counts a payload of the connection and returns whether it is one too many (Events rule 4). `now` is monotonic
 * milliseconds.
 */
export function isOverPayloadLimit(connection: Connection, limit: RateLimit, now: number): boolean {
  beginWindow(connection, limit, now);
  connection.payloadCount += 1;
  return connection.payloadCount > limit.limit;
}

/** Counts a ping or pong frame, which is not a payload, and returns whether there are too many of them. */
export function isOverControlLimit(connection: Connection, limit: RateLimit, now: number): boolean {
  beginWindow(connection, limit, now);
  connection.controlFrameCount += 1;
  return connection.controlFrameCount > limit.limit * CONTROL_FRAMES_PER_PAYLOAD;
}

/** Whether a payload exceeds {@link MAX_PAYLOAD_BYTES}. */
export function isTooLarge(payload: string | Uint8Array): boolean {
  if (typeof payload !== 'string') return payload.byteLength > MAX_PAYLOAD_BYTES;
  if (payload.length * MAX_BYTES_PER_UTF16_UNIT <= MAX_PAYLOAD_BYTES) return false;
  return Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES;
}

/** When the connection's window ends, in monotonic milliseconds. */
export function windowEnd({ windowStartedAt }: Connection, { reset_after }: RateLimit): number {
  return windowStartedAt + reset_after * 1000;
}

function beginWindow(connection: Connection, limit: RateLimit, now: number): void {
  if (now < windowEnd(connection, limit)) return;
  connection.windowStartedAt = now;
  connection.payloadCount = 0;
  connection.controlFrameCount = 0;
}

/** What a client says; undefined if the payload is binary, is not JSON or has no known operation. */
export function readClientEvent(payload: string | Uint8Array): ClientEvent | undefined {
  if (typeof payload !== 'string') return undefined;
  if (payload === PLAIN_PING) return { op: 'PING' };
  try {
    return clientEventSchema.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}
