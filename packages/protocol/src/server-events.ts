import { z } from 'zod';

/** Answer to each PING (Events: PONG). */
export const pongSchema = z.object({ op: z.literal('PONG') });

/** A message was received; `d` is that message (Events: MESSAGE_CREATE). */
export const messageCreateSchema = z.object({
  op: z.literal('MESSAGE_CREATE'),
  d: z.object({ author: z.string(), content: z.string() }),
});

/** Everything the gateway sends. */
export const serverEventSchema = z.discriminatedUnion('op', [pongSchema, messageCreateSchema]);

/** Everything the gateway sends. */
export type ServerEvent = z.infer<typeof serverEventSchema>;
