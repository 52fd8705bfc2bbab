import { z } from 'zod';
import { DISCONNECT_REASONS } from './close-reasons.ts';
import { lobbyMessageSchema } from './messages.ts';

/** Answer to each PING (Events: PONG). */
export const pongSchema = z.object({ op: z.literal('PONG') });

/** A message was received; `d` is that message (Events: MESSAGE_CREATE). */
export const messageCreateSchema = z.object({
  op: z.literal('MESSAGE_CREATE'),
  d: z.object({ author: z.string(), content: z.string() }),
});

/** Everything the documented gateway sends. */
export const serverEventSchema = z.discriminatedUnion('op', [pongSchema, messageCreateSchema]);

/** Everything the documented gateway sends. */
export type ServerEvent = z.infer<typeof serverEventSchema>;

/** A place in the stream of events: it grows by one with each. */
const position = z.int().nonnegative();

/**
 * First payload of a gateway of profile 1: the stream's `epoch`, and the position `s` that the client is at.
 * `recovered` tells whether the events since the position that it asked for follow; null where it asked for none. Ours.
 */
export const helloSchema = z.object({
  op: z.literal('HELLO'),
  d: z.object({
    v: z.int().positive(),
    heartbeat_interval: z.int().positive(),
    epoch: z.string(),
    s: position,
    recovered: z.boolean().nullable(),
  }),
});

/** A message was received, on profile 1: with its position, and the nonce that it was posted with. Ours. */
export const lobbyMessageCreateSchema = z.object({
  op: z.literal('MESSAGE_CREATE'),
  s: position,
  d: lobbyMessageSchema.extend({ nonce: z.string().optional() }),
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

/** Everything a gateway of profile 1 sends. Ours. */
export const profileEventSchema = z.discriminatedUnion('op', [
  pongSchema,
  helloSchema,
  lobbyMessageCreateSchema,
  disconnectSchema,
]);

/** Everything a gateway of profile 1 sends. */
export type ProfileEvent = z.infer<typeof profileEventSchema>;
