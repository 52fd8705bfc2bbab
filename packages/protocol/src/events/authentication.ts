import { z } from 'zod';
import { ACCOUNT_PROFILE } from '../gateway-profiles.ts';
import { rateLimitSchema } from '../rate-limit-schemas.ts';
import { streamPlacesSchema } from './positions.ts';

/**
 * The first payload of a gateway of profile 2: the client has to send AUTHENTICATE within `authenticate_within`. Both
 * durations are in milliseconds, and `limits` has what a client may send over one connection. Ours.
 */
export const accountHelloSchema = z.object({
  op: z.literal('HELLO'),
  d: z.object({
    v: z.literal(ACCOUNT_PROFILE),
    heartbeat_interval: z.int().positive(),
    authenticate_within: z.int().positive(),
    limits: z.object({ gateway_events: rateLimitSchema, payload_bytes: z.int().positive() }),
  }),
});

/**
 * The client continues where it was. `streams` has every stream that it follows, with the place after which events follow:
 * the client's own for those in `recovered`. `lost` has the streams that it asked for and that do not continue there; it
 * follows only those of them that `streams` has. Profile 2, ours.
 */
export const resumedSchema = z.object({
  op: z.literal('RESUMED'),
  d: z.object({
    recovered: z.array(z.string()),
    lost: z.array(z.string()),
    streams: streamPlacesSchema,
  }),
});

/** The last payload was ignored, because the client sends too many; `retry_after` is in milliseconds. Profile 2, ours. */
export const rateLimitedSchema = z.object({
  op: z.literal('RATE_LIMITED'),
  d: z.object({ retry_after: z.int().positive() }),
});
