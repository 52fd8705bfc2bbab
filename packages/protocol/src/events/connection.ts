import { z } from 'zod';
import { DISCONNECT_REASONS } from '../close-reasons.ts';
import { positionSchema } from './positions.ts';

/** Answer to each PING (Events: PONG). */
export const pongSchema = z.object({ op: z.literal('PONG') });

/**
 * First payload of a gateway of profile 1: the stream's `epoch`, and the position `s` that the client is at.
 * `recovered` says whether the events since the position that it asked for follow; null if it asked for none. Ours.
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

/** The connection is about to be closed; `retry_after` in milliseconds. Profile 1, ours. */
export const disconnectSchema = z.object({
  op: z.literal('DISCONNECT'),
  d: z.object({
    reason: z.enum(Object.keys(DISCONNECT_REASONS)),
    reconnect: z.boolean(),
    retry_after: z.int().nonnegative(),
  }),
});
