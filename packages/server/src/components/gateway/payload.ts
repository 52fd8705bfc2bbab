import { ACCOUNT_PROFILE, MOST_PAYLOAD_BYTES, type RateLimit } from '@hearth/protocol';
import { authenticateSchema, pingSchema, watchSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Connection } from './connection.ts';

/** Libraries send pings on their own, so more of them are allowed than payloads. */
const CONTROL_FRAMES_PER_PAYLOAD = 10;

/** The factor by which a client of profile 2 may exceed the limit before it is closed. */
const FORGIVEN_TIMES = 10;

const MAX_BYTES_PER_UTF16_UNIT = 3;

/** The payloads of clients. The data of AUTHENTICATE is read later, because a wrong token is not ignored. */
const said = z.discriminatedUnion('op', [
  pingSchema,
  authenticateSchema.extend({ d: z.unknown().optional() }),
  watchSchema,
]);

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

/** Returns whether the payload that is one too many is only ignored: on profile 2, up to ten times the limit. */
export function isForgiven({ profile, payloadCount }: Connection, { limit }: RateLimit): boolean {
  return profile.version === ACCOUNT_PROFILE && payloadCount <= limit * FORGIVEN_TIMES;
}

/** Counts a ping or pong frame, which is not a payload, and returns whether there are too many of them. */
export function isOverControlLimit(connection: Connection, limit: RateLimit, now: number): boolean {
  beginWindow(connection, limit, now);
  connection.controlFrameCount += 1;
  return connection.controlFrameCount > limit.limit * CONTROL_FRAMES_PER_PAYLOAD;
}

/** Returns whether a payload exceeds {@link MOST_PAYLOAD_BYTES}. */
export function isTooLarge(payload: string | Uint8Array): boolean {
  if (typeof payload !== 'string') return payload.byteLength > MOST_PAYLOAD_BYTES;
  if (payload.length * MAX_BYTES_PER_UTF16_UNIT <= MOST_PAYLOAD_BYTES) return false;
  return Buffer.byteLength(payload) > MOST_PAYLOAD_BYTES;
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

/** Reads what a client says; undefined if the payload is binary, is not JSON or has no known operation. */
export function readClientEvent(payload: string | Uint8Array): z.infer<typeof said> | undefined {
  if (typeof payload !== 'string') return undefined;
  if (payload === PLAIN_PING) return { op: 'PING' };
  try {
    return said.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}
