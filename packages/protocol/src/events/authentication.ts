import { z } from 'zod';
import { ownCommunitySchema } from '../communities.ts';
import { ACCOUNT_PROFILE } from '../gateway-profiles.ts';
import { notificationSettingSchema, readStateSchema } from '../read-states.ts';
import { rateLimitSchema } from '../rate-limit-schemas.ts';
import { ownUserSchema, sessionSchema } from '../users.ts';
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
 * Who the client is, which streams it follows, and after which places their events follow. The rest of the state is at
 * least as new as these places. What concerns the user is absent for guests. If the client asked to resume, `recovered` has
 * the streams that continue after the client's own places. Profile 2, ours.
 */
export const readySchema = z.object({
  op: z.literal('READY'),
  d: z.object({
    user: ownUserSchema.exactOptional(),
    session: sessionSchema.exactOptional(),
    communities: z.array(ownCommunitySchema).exactOptional(),
    /** Of channels that the user has opened; what is older than the membership counts as read in others. */
    read_states: z.array(readStateSchema).exactOptional(),
    notification_settings: z.array(notificationSettingSchema).exactOptional(),
    recovered: z.array(z.string()).exactOptional(),
    streams: streamPlacesSchema,
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
