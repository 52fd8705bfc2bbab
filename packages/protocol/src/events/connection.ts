import { z } from 'zod';
import { DISCONNECT_REASONS } from '../close-reasons.ts';
import { termSchema } from '../moderation.ts';
import { positionSchema } from './positions.ts';

/** The answer to each PING (Events: PONG). */
export const pongSchema = z.object({ op: z.literal('PONG') });

/**
 * The first payload of a gateway of profile 1: the stream's `epoch`, and the client's position `s`. `recovered` says
 * whether the events after the position that the client asked for follow; it is null if the client asked for none. Ours.
 */
export const helloSchema = z.object({
  op: z.literal('HELLO'),
  d: z.object({
    v: z.int().positive(),
    heartbeat_interval: z.int().positive(),
    epoch: z.string(),
    s: positionSchema,
    recovered: z.boolean().nullable(),
  }),
});

/** The connection is about to be closed; `retry_after` is in milliseconds, and `ban` is there if the reason is one. Profile 1, ours. */
export const disconnectSchema = z.object({
  op: z.literal('DISCONNECT'),
  d: z.object({
    reason: z.enum(Object.keys(DISCONNECT_REASONS)),
    reconnect: z.boolean(),
    retry_after: z.int().nonnegative(),
    ban: termSchema.exactOptional(),
  }),
});
